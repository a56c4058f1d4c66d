import { replyPrompt } from './answer-prompt.ts';
import type { Message } from './message.ts';
import { cleanText } from './plain-text.ts';

/** More parts cost more, and arrive late or in the wrong order. */
const maxParts = 5;
/** A message that is cut keeps at least this much text; otherwise the link is dropped. */
const minTextLength = 80;

/** GSM 03.38: a part holds 160 of these characters; any other character more than halves that. */
const gsmText =
  /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà\f^{}\\[~\]|€]*$/;
/** These count as two characters. */
const extended = /[\f^{}\\[~\]|€]/g;

type Encoding = { readonly onePart: number; readonly perPart: number; size(text: string): number };

const gsm: Encoding = {
  onePart: 160,
  perPart: 153,
  size: (text) => text.length + (text.match(extended)?.length ?? 0),
};
const ucs2: Encoding = { onePart: 70, perPart: 67, size: (text) => text.length };

function encodingOf(text: string): Encoding {
  return gsmText.test(text) ? gsm : ucs2;
}

/** The number of parts of a text. */
export function partsOf(text: string): number {
  const { onePart, perPart, size } = encodingOf(text);
  const length = size(text);
  return length <= onePart ? 1 : Math.ceil(length / perPart);
}

/**
 * A message as SMS: its number, its text, how to answer, and the link. A long text is cut in the middle, so that the
 * recipient can still answer.
 */
export function shortMessage(message: Message): string {
  const { number, text, answer } = message;
  const body = `${number > 0 ? `${number} ` : ''}${cleanText(text)}`.trim();
  const prompt = replyPrompt(message);
  if (prompt === '') return fit(body, '');
  const link = answer?.link ?? '';
  const withLink = link === '' ? `\n${prompt}` : `\n${prompt}\n${link}`;
  const leavesRoom = roomBeside(body, withLink) >= Math.min(minTextLength, encodingOf(body).size(body));
  return fit(body, leavesRoom ? withLink : `\n${prompt}`);
}

function roomBeside(body: string, tail: string): number {
  const { perPart, size } = encodingOf(body + tail);
  // A character that counts as two is never split, so each part may end one short.
  return maxParts * (perPart - 1) - size(tail);
}

const cutMark = '...';

function fit(body: string, tail: string): string {
  const { size } = encodingOf(body + tail);
  const room = roomBeside(body, tail);
  if (size(body) <= room) return (body + tail).trim();
  let kept = '';
  let remaining = room - size(cutMark);
  for (const character of body) {
    remaining -= size(character);
    if (remaining < 0) break;
    kept += character;
  }
  return kept + cutMark + tail;
}
