/** The code of an acknowledging reply such as `ok 482913`, with the choice after it; undefined for any other text. */
export function codeInReply(text: string): string | undefined {
  const [, code] =
    /^\s*(?:(?:ack|ok|oui|ja|yes|1)\b[\s:,.#-]*)?(\d{4,8}(?:[\s,.#-]+[12])?)\b/i.exec(text) ?? [];
  return code;
}
