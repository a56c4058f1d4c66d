/** The parts of the package `smpp` that we use: the codec of PDUs and of the GSM alphabet. It brings no types. */
declare module 'smpp' {
  class Pdu {
    constructor(content: string | Buffer, fields?: Readonly<Record<string, unknown>>);
    readonly command: string;
    toBuffer(): Buffer;
  }
  type Encoding = { match(text: string): boolean; encode(text: string): Buffer };

  /** A CommonJS module: Node.js finds not all of its names, so it is imported as a whole. */
  const smpp: {
    readonly PDU: typeof Pdu;
    /** `ASCII` is the package's name for GSM 03.38, one byte for each septet. */
    readonly encodings: { readonly ASCII: Encoding; readonly UCS2: Encoding };
  };
  export = smpp;
}
