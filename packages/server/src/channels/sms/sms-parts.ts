import smpp from 'smpp';

const { encodings } = smpp;

/** A part of a text as a telephone network carries it. */
export type SmsPart = {
  /** 0: GSM 03.38, one byte for each septet. 8: UCS-2, big endian. */
  readonly dataCoding: 0 | 8;
  /** Tells the telephone how to join the parts; empty for a text of one part. */
  readonly header: Buffer;
  readonly body: Buffer;
};

type Encoding = {
  readonly dataCoding: 0 | 8;
  readonly onePart: number;
  readonly perPart: number;
  encode(text: string): Buffer;
};

/** Sizes in bytes. A header takes 7 septets, or 6 bytes. */
const gsm: Encoding = {
  dataCoding: 0,
  onePart: 160,
  perPart: 153,
  encode: (text) => encodings.ASCII.encode(text),
};
const ucs2: Encoding = {
  dataCoding: 8,
  onePart: 140,
  perPart: 134,
  encode: (text) => encodings.UCS2.encode(text),
};

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function encodingOf(text: string): Encoding {
  return encodings.ASCII.match(text) ? gsm : ucs2;
}

/** The text in one piece, for centres that divide it themselves. */
export function wholeSms(text: string): SmsPart {
  const { dataCoding, encode } = encodingOf(text);
  return { dataCoding, header: Buffer.alloc(0), body: encode(text) };
}

/** Divides a text into parts. `reference` is the same in all parts of a text and differs between texts. */
export function smsParts(text: string, reference: number): SmsPart[] {
  const encoding = encodingOf(text);
  const { dataCoding, onePart } = encoding;
  const whole = wholeSms(text);
  if (whole.body.length <= onePart) return [whole];
  const bodies = divide(text, encoding);
  return bodies.map((body, index) => ({
    dataCoding,
    header: Buffer.from([5, 0, 3, reference & 255, bodies.length, index + 1]),
    body,
  }));
}

/** Divides between the characters that a person sees, so that no emoji and no escaped character is torn apart. */
function divide(text: string, { perPart, encode }: Encoding): Buffer[] {
  const bodies: Buffer[][] = [[]];
  let room = perPart;
  for (const piece of piecesOf(text, perPart, encode)) {
    if (piece.length > room) {
      bodies.push([]);
      room = perPart;
    }
    bodies.at(-1)?.push(piece);
    room -= piece.length;
  }
  return bodies.map((pieces) => Buffer.concat(pieces));
}

function* piecesOf(text: string, perPart: number, encode: Encoding['encode']): Iterable<Buffer> {
  for (const { segment } of graphemes.segment(text)) {
    const piece = encode(segment);
    if (piece.length <= perPart) yield piece;
    // A letter with dozens of accents: it is divided between code points.
    else for (const character of segment) yield encode(character);
  }
}
