import smpp from 'smpp';

/** A PDU that was received. `fields` come from the peer, and may be of any type. */
export type Pdu = {
  readonly command: string;
  readonly isResponse: boolean;
  readonly status: number;
  readonly sequence: number;
  readonly fields: Readonly<Record<string, unknown>>;
};

export type PduContent = {
  readonly command: string;
  readonly sequence: number;
  readonly status?: number;
  readonly fields?: Readonly<Record<string, unknown>>;
};

/** The peer does not speak SMPP, or has lost the boundaries of its PDUs. Nothing after it can be read. */
export class FramingFault extends Error {}

const headerBytes = 16;
/** The codec reads no longer ones. A long text needs less than a tenth of this. */
const maxPduBytes = 16_384;
const responseBit = 0x8000_0000;

/** Cuts a stream of bytes into PDUs. Never holds more than one incomplete PDU. */
export function createPduFramer(): (chunk: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const frames: Buffer[] = [];
    while (bytes.length >= 4) {
      const length = bytes.readUInt32BE(0);
      if (length < headerBytes || length > maxPduBytes) throw new FramingFault(`a PDU of ${length} bytes`);
      if (bytes.length < length) break;
      frames.push(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
    // A copy, because a view would keep the whole chunk in memory.
    rest = Buffer.from(bytes);
    return frames;
  };
}

/** The header of a frame, which is readable also if its body is malformed. */
export function readHeader(frame: Buffer): Omit<Pdu, 'fields' | 'command'> {
  return {
    isResponse: frame.readUInt32BE(4) >= responseBit,
    status: frame.readUInt32BE(8),
    sequence: frame.readUInt32BE(12),
  };
}

/** Reads a whole frame. Returns undefined if its body is malformed: the codec throws on such. */
export function readPdu(frame: Buffer): Pdu | undefined {
  try {
    const decoded = new smpp.PDU(frame);
    const { command } = decoded;
    return { ...readHeader(frame), command, fields: Object.fromEntries(Object.entries(decoded)) };
  } catch {
    return undefined;
  }
}

export function writePdu({ command, sequence, status = 0, fields = {} }: PduContent): Buffer {
  return new smpp.PDU(command, { ...fields, sequence_number: sequence, command_status: status }).toBuffer();
}
