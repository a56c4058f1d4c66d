import { expect, test } from 'vitest';
import { imageSizeOf } from './image-size.ts';

const png = (width: number, height: number) => {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), size]);
};

const segment = (marker: number, content: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};

const jpeg = (marker: number, ...before: Buffer[]) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...before,
    segment(marker, Buffer.from([8, 0x04, 0x38, 0x07, 0x80, 3, 0, 0, 0])),
  ]);

test('a PNG image says its size in its first chunk', () => {
  expect(imageSizeOf(png(1_920, 1_080))).toEqual({ width: 1_920, height: 1_080 });
});

test.for([0xc0, 0xc2])('a JPEG image says its size in its frame %d, behind other segments', (marker) => {
  const camera = segment(0xe1, Buffer.alloc(60_000, 0xff));
  const tables = segment(0xc4, Buffer.alloc(30));
  expect(imageSizeOf(jpeg(marker, camera, tables))).toEqual({ width: 1_920, height: 1_080 });
});

test('fill bytes before a marker are skipped', () => {
  expect(imageSizeOf(jpeg(0xc0, Buffer.from([0xff, 0xff])))).toEqual({ width: 1_920, height: 1_080 });
});

test.for([
  ['an SVG drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['nothing', Buffer.alloc(0)],
  ['a PNG image that ends too early', png(9, 9).subarray(0, 20)],
  ['a PNG image without pixels', png(0, 9)],
  ['a JPEG image without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2])],
  ['a JPEG image whose segment has no length', jpeg(0xc0).subarray(0, 6)],
] as const)('%s has no size', ([, content]) => {
  expect(imageSizeOf(content)).toBeUndefined();
});
