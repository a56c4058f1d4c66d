import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from '../../../../../acceptance/harness/sms/alphabet.ts';
import { smsParts, wholeSms } from './sms-parts.ts';

const partTexts = (text: string) =>
  smsParts(text, 7).map(({ body, dataCoding }) => decodeText(body, dataCoding));

test('a text of one part has no header', () => {
  expect(smsParts('a'.repeat(160), 7)).toEqual([wholeSms('a'.repeat(160))]);
  expect(smsParts('ж'.repeat(70), 7)).toEqual([wholeSms('ж'.repeat(70))]);
});

test('the parts of a text share a reference and are numbered', () => {
  const headers = smsParts('a'.repeat(400), 263).map(({ header }) => header.toString('hex'));
  expect(headers).toEqual([1, 2, 3].map((number) => `05000307030${number}`));
});

test('the GSM alphabet is written as in the standard, with escapes', () => {
  expect(wholeSms('Ça @ 5 €')).toEqual({
    dataCoding: 0,
    header: Buffer.alloc(0),
    body: Buffer.from([0x09, 0x61, 0x20, 0x00, 0x20, 0x35, 0x20, 0x1b, 0x65]),
  });
  expect(wholeSms('ж')).toMatchObject({ dataCoding: 8, body: Buffer.from([0x04, 0x36]) });
});

test.for(['€', '[', '🔥', '👨‍🔧', 'é'])('%s is never divided, wherever a part ends', (character) => {
  for (let before = 120; before < 160; before += 1) {
    const text = `${'x'.repeat(before)}${character.repeat(12)}${'y'.repeat(120)}`;
    const texts = partTexts(text);
    expect(texts.join('')).toBe(text);
    for (const part of texts) {
      expect(part).not.toContain('�');
      expect(part).not.toMatch(/^\u200d|^\u0301|\u200d$/);
    }
  }
});

test('every text arrives as it was, in parts that fit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
      const clean = text.replaceAll('\u001b', '');
      expect(partTexts(clean).join('')).toBe(clean);
      for (const { header, body, dataCoding } of smsParts(clean, 7)) {
        const septets = header.length === 0 ? 160 : 153;
        expect(body.length + (dataCoding === 8 ? header.length : 0)).toBeLessThanOrEqual(
          dataCoding === 8 ? 140 : septets,
        );
      }
    }),
  );
});
