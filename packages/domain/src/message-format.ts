/** What the placeholders of a format stand for. */
export type FormatValues = Readonly<
  Record<'name' | 'path' | 'message' | 'shortMessage' | 'priority' | 'value' | 'dataServer' | 'time', string>
>;

/** As long as the message of an alarm may be. */
export const longestMessage = 65_536;

/**
 * The format with the values for its placeholders, such as `{name}`. Other text in braces stays as it is, and so do
 * braces that a value brings along: values come from the plant and are not formats.
 */
export function fillFormat(format: string, values: FormatValues): string {
  let filled = '';
  for (const part of format.split(/(\{[A-Za-z]+\})/)) {
    filled += valueOf(part, values) ?? part;
    if (filled.length >= longestMessage) return filled.slice(0, longestMessage);
  }
  return filled;
}

function valueOf(part: string, values: FormatValues): string | undefined {
  const name = part.startsWith('{') && part.endsWith('}') ? part.slice(1, -1) : '';
  return Object.hasOwn(values, name) ? values[name as keyof FormatValues] : undefined;
}
