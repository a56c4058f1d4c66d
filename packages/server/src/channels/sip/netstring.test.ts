import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNetstringReader, writeNetstring } from './netstring.ts';

function framesIn(...chunks: (string | Buffer)[]): string[] {
  const frames: string[] = [];
  const read = createNetstringReader((text) => frames.push(text));
  for (const chunk of chunks) read(Buffer.from(chunk as string));
  return frames;
}

test('what is written is read again, in whatever pieces it arrives', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 7 }),
      (texts, size) => {
        const bytes = Buffer.from(texts.map(writeNetstring).join(''));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        expect(framesIn(...chunks)).toEqual(texts);
      },
    ),
  );
});

test.for([
  'x5:hello,',
  '\n\n5:hello,',
  ':5:hello,',
  '99999999999:x,5:hello,',
  '70000:x,5:hello,',
  '3:abcd5:hello,',
  '-1:a,5:hello,',
])('a frame after junk is still read: %j', (bytes) => {
  expect(framesIn(bytes).at(-1)).toBe('hello');
});

test('any bytes are survived', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => framesIn(Buffer.from(bytes))).not.toThrow();
    }),
  );
});
