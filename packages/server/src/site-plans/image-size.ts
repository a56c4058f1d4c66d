/** Pixels. */
export type ImageSize = { width: number; height: number };

/** The size of a PNG or JPEG image by its bytes; undefined for other content. SVG can hold scripts, so it is no plan. */
export function imageSizeOf(content: Buffer): ImageSize | undefined {
  const size = pngSize(content) ?? jpegSize(content);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

const pngStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

function pngSize(content: Buffer): ImageSize | undefined {
  if (content.length < pngStart.length + 8 || !content.subarray(0, pngStart.length).equals(pngStart))
    return undefined;
  return { width: content.readUInt32BE(pngStart.length), height: content.readUInt32BE(pngStart.length + 4) };
}

/** Markers C0 to CF begin a frame, except those for tables and for arithmetic coding. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Segments follow each other, each with a marker and its length, until the frame that holds the size. */
function jpegSize(content: Buffer): ImageSize | undefined {
  if (content.length < 4 || content.readUInt16BE(0) !== 0xffd8) return undefined;
  let offset = 2;
  while (offset + 9 <= content.length && content[offset] === 0xff) {
    const marker = content[offset + 1] ?? 0;
    if (isFrame(marker))
      return { height: content.readUInt16BE(offset + 5), width: content.readUInt16BE(offset + 7) };
    // A marker may be preceded by any number of fill bytes.
    offset += marker === 0xff ? 1 : 2 + content.readUInt16BE(offset + 2);
  }
  return undefined;
}
