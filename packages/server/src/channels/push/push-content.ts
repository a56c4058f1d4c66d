import type { Message } from '../port/message.ts';
import { cleanLine, cleanText } from '../port/plain-text.ts';

export type PushContent = {
  readonly title: string;
  readonly text: string;
  readonly link: string;
  /** The most urgent alarm of the message, which the page for telephones opens; absent if it is about none. */
  readonly alarmId?: number;
};

/** Push services take 4096 bytes after encryption; the title and the link need the rest. */
const maxTextBytes = 3_000;
const maxTitleLength = 100;
const maxLinkLength = 512;

export function pushContent({ subject, text, answer, alarms }: Message): PushContent {
  const link = answer?.link ?? '';
  const [urgent] = alarms.toSorted((one, other) => one.priority - other.priority);
  return {
    title: cleanLine(subject, maxTitleLength) || 'Alarm',
    text: cutToBytes(cleanText(text), maxTextBytes),
    link: link.length > maxLinkLength ? '' : link,
    ...(urgent && { alarmId: urgent.id }),
  };
}

/** Cuts between characters, and says so. The limit is that of the text in JSON, in which some characters are longer. */
function cutToBytes(text: string, maxBytes: number): string {
  const sizeOf = (part: string) => Buffer.byteLength(JSON.stringify(part)) - 2;
  if (sizeOf(text) <= maxBytes) return text;
  let size = sizeOf('…');
  let kept = '';
  for (const character of text) {
    size += sizeOf(character);
    if (size > maxBytes) break;
    kept += character;
  }
  return `${kept}…`;
}
