/** SMPP 3.4 as far as the simulated centre needs it, written apart from the server's codec, so that it checks that. */

export const commands = {
  genericNack: 0x8000_0000,
  bindTransceiver: 0x09,
  submit: 0x04,
  deliver: 0x05,
  unbind: 0x06,
  enquireLink: 0x15,
} as const;
export const responseBit = 0x8000_0000;

export type Frame = { command: number; status: number; sequence: number; body: Buffer };

export function writeFrame(
  command: number,
  sequence: number,
  { status = 0, body = Buffer.alloc(0) }: { status?: number; body?: Buffer } = {},
): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(16 + body.length, 0);
  header.writeUInt32BE(command, 4);
  header.writeUInt32BE(status, 8);
  header.writeUInt32BE(sequence, 12);
  return Buffer.concat([header, body]);
}

/** Cuts a stream into frames. */
export function frameReader(): (chunk: Buffer) => Frame[] {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const frames: Frame[] = [];
    while (rest.length >= 16 && rest.length >= rest.readUInt32BE(0)) {
      const length = rest.readUInt32BE(0);
      frames.push({
        command: rest.readUInt32BE(4),
        status: rest.readUInt32BE(8),
        sequence: rest.readUInt32BE(12),
        body: rest.subarray(16, length),
      });
      rest = rest.subarray(length);
    }
    return frames;
  };
}

export const cString = (text: string) => Buffer.from(`${text}\0`, 'latin1');
export const tlv = (tag: number, value: Buffer) => {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value]);
};

/** Reads a body from its beginning. */
class Cursor {
  readonly #body: Buffer;
  #at = 0;
  constructor(body: Buffer) {
    this.#body = body;
  }
  get rest(): Buffer {
    return this.#body.subarray(this.#at);
  }
  byte(): number {
    this.#at += 1;
    return this.#body.readUInt8(this.#at - 1);
  }
  text(): string {
    const end = this.#body.indexOf(0, this.#at);
    const text = this.#body.toString('latin1', this.#at, end);
    this.#at = end + 1;
    return text;
  }
  bytes(count: number): Buffer {
    this.#at += count;
    return this.#body.subarray(this.#at - count, this.#at);
  }
}

/** What an ESME asked the centre to send. */
export type Submitted = {
  sourceTon: number;
  sourceNpi: number;
  source: string;
  toTon: number;
  toNpi: number;
  to: string;
  esmClass: number;
  wantsReceipt: number;
  dataCoding: number;
  body: Buffer;
  /** In the TLV `message_payload`. */
  payload: Buffer | undefined;
};

export function readSubmitted(body: Buffer): Submitted {
  const cursor = new Cursor(body);
  cursor.text();
  const source = { sourceTon: cursor.byte(), sourceNpi: cursor.byte(), source: cursor.text() };
  const to = { toTon: cursor.byte(), toNpi: cursor.byte(), to: cursor.text() };
  const esmClass = cursor.byte();
  cursor.bytes(2);
  cursor.text();
  cursor.text();
  const wantsReceipt = cursor.byte();
  cursor.byte();
  const dataCoding = cursor.byte();
  cursor.byte();
  const content = cursor.bytes(cursor.byte());
  const { rest } = cursor;
  const hasPayload = rest.length > 4 && rest.readUInt16BE(0) === 0x0424;
  const payload = hasPayload ? rest.subarray(4, 4 + rest.readUInt16BE(2)) : undefined;
  return { ...source, ...to, esmClass, wantsReceipt, dataCoding, body: content, payload };
}

export function readBind(body: Buffer): { systemId: string; password: string; systemType: string } {
  const cursor = new Cursor(body);
  return { systemId: cursor.text(), password: cursor.text(), systemType: cursor.text() };
}

export type Delivery = {
  from: string;
  to: string;
  esmClass?: number;
  dataCoding?: number;
  content: Buffer;
  tlvs?: Buffer[];
};

/** The body of a `deliver_sm`. A number with a plus sign is international. */
export function deliveryBody({
  from,
  to,
  esmClass = 0,
  dataCoding = 0,
  content,
  tlvs = [],
}: Delivery): Buffer {
  const address = (number: string) =>
    Buffer.concat([Buffer.from(number.startsWith('+') ? [1, 1] : [0, 1]), cString(number.replace('+', ''))]);
  return Buffer.concat([
    cString(''),
    address(from),
    address(to),
    Buffer.from([esmClass, 0, 0]),
    cString(''),
    cString(''),
    Buffer.from([0, 0, dataCoding, 0, content.length]),
    content,
    ...tlvs,
  ]);
}
