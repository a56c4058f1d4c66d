import { decodeText } from './alphabet.ts';
import type { Submitted } from './pdu.ts';

/** A message, or a part of one, as it came to a centre. */
export type ReceivedPart = Pick<Submitted, 'to' | 'esmClass' | 'dataCoding' | 'body'> &
  Partial<Pick<Submitted, 'payload'>>;

/** The texts for a number. Joins parts by the reference in their headers. */
export function textsIn(received: readonly ReceivedPart[], to: string): string[] {
  const texts = new Map<string, string>();
  for (const [index, { to: number, esmClass, dataCoding, body, payload }] of received.entries()) {
    if (number !== to.replace('+', '')) continue;
    const hasHeader = (esmClass & 0x40) !== 0;
    const headerLength = hasHeader ? (body[0] ?? 0) + 1 : 0;
    const key = hasHeader ? `part ${body[3]}` : `whole ${index}`;
    const text = decodeText(payload ?? body.subarray(headerLength), dataCoding);
    texts.set(key, (texts.get(key) ?? '') + text);
  }
  return [...texts.values()];
}

export async function untilTexts(texts: () => string[], count: number): Promise<string[]> {
  const deadline = performance.now() + 20_000;
  while (texts().length < count) {
    if (performance.now() > deadline) throw new Error(`${texts().length} of ${count} texts came`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return texts();
}
