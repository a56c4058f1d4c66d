/** GSM 03.38, from the standard's table. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const escaped: Readonly<Record<number, string>> = {
  0x0a: '\f',
  0x14: '^',
  0x28: '{',
  0x29: '}',
  0x2f: '\\',
  0x3c: '[',
  0x3d: '~',
  0x3e: ']',
  0x40: '|',
  0x65: '€',
};
const escape = 0x1b;

/** Decodes a part. A part that ends with an escape, or with half a character, shows it as `�`. */
export function decodeText(content: Buffer, dataCoding: number): string {
  if (dataCoding === 8) return Buffer.from(content).swap16().toString('utf16le').toWellFormed();
  let text = '';
  for (let at = 0; at < content.length; at += 1) {
    const code = content[at] ?? 0;
    if (code !== escape) text += basic[code] ?? '�';
    else {
      at += 1;
      text += escaped[content[at] ?? -1] ?? '�';
    }
  }
  return text;
}

/** Encodes a text of plain letters and digits. */
export function encodeText(text: string): Buffer {
  return Buffer.from(Array.from(text, (character) => Math.max(0, basic.indexOf(character))));
}
