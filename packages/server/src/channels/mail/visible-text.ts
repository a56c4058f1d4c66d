import EmailReplyParser from 'email-reply-parser';

/** More is not needed to tell what a person has answered. */
const maxLength = 4_000;

/**
 * The text that the person wrote, without the quoted mail and the signature. The time that the parser takes grows with
 * the square of the empty lines, so runs of them are joined first.
 */
export function visibleText(text: string): string {
  const short = text
    .slice(0, maxLength * 4)
    .replace(/\r\n?/g, '\n')
    .replace(/\n\s+/g, (gap) => (gap.indexOf('\n', 1) === -1 ? gap : '\n\n'))
    .trim()
    .slice(0, maxLength);
  return new EmailReplyParser().parseReply(short).trim();
}
