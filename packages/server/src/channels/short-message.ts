import { replyPrompt } from './answer-prompt.ts';
import type { Message } from './channel.ts';
import { cleanText } from './plain-text.ts';

/** More parts than so many are paid for, come late, or in the wrong order. */
const mostParts = 5;
/** Of a message that is too long at least so much is told before the link is left out. */
const leastText = 80;

/** GSM 03.38: what a part of 160 signs may hold; one sign of any other kind halves all of them. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** These take the place of two. */
const extended = new Set('\f^{}\\[~]|€');

type Encoding = { readonly onePart: number; readonly perPart: number; size(text: string): number };

const gsm: Encoding = {
  onePart: 160,
  perPart: 153,
  size: (text) => Array.from(text).reduce((sum, sign) => sum + (extended.has(sign) ? 2 : 1), 0),
};
const ucs2: Encoding = { onePart: 70, perPart: 67, size: (text) => text.length };

function encodingOf(text: string): Encoding {
  return Array.from(text).every((sign) => basic.has(sign) || extended.has(sign)) ? gsm : ucs2;
}

/** How many parts a text takes. */
export function partsOf(text: string): number {
  const { onePart, perPart, size } = encodingOf(text);
  const length = size(text);
  return length <= onePart ? 1 : Math.ceil(length / perPart);
}

/**
 * A message as a text for a telephone: its number, what it says, how to answer, and the link. What is too long is cut in
 * the middle: whoever cannot read it to the end can still answer.
 */
export function shortMessage(message: Message): string {
  const { number, text, answer } = message;
  const body = `${number > 0 ? `${number} ` : ''}${cleanText(text)}`.trim();
  const prompt = replyPrompt(message);
  if (prompt === '') return fit(body, '');
  const link = answer?.link ?? '';
  const withLink = link === '' ? `\n${prompt}` : `\n${prompt}\n${link}`;
  const leavesRoom = roomBeside(body, withLink) >= Math.min(leastText, encodingOf(body).size(body));
  return fit(body, leavesRoom ? withLink : `\n${prompt}`);
}

function roomBeside(body: string, tail: string): number {
  const { perPart, size } = encodingOf(body + tail);
  // A sign that takes two places is never divided: each part may end one short.
  return mostParts * (perPart - 1) - size(tail);
}

const cutMark = '...';

function fit(body: string, tail: string): string {
  const { size } = encodingOf(body + tail);
  const room = roomBeside(body, tail);
  if (size(body) <= room) return (body + tail).trim();
  let kept = '';
  let left = room - size(cutMark);
  for (const sign of body) {
    left -= size(sign);
    if (left < 0) break;
    kept += sign;
  }
  return kept + cutMark + tail;
}
