import { type HubProtocol, ProtocolError } from '../codec/hub-protocol.ts';
import { jsonProtocol, parseRecord } from '../codec/json.ts';
import { messagePackProtocol } from '../codec/messagepack.ts';
import type { Transport } from '../hub.ts';

export type Handshake = { readonly protocol: HubProtocol; readonly version: number };

const protocols = new Map(
  [jsonProtocol, messagePackProtocol].map((protocol) => [protocol.name as string, protocol]),
);
/** From this version on, a socket may come back to its connection. Clients of version 0 are about. */
export const statefulVersion = 2;

/** What the first record of a client asks for. A ProtocolError says why it cannot be. */
export function readHandshake(record: Buffer, transport: Transport): Handshake {
  const { protocol: name, version } = parseRecord(record);
  if (typeof name !== 'string') throw new ProtocolError('The handshake names no protocol');
  const protocol = protocols.get(name);
  if (protocol === undefined)
    throw new ProtocolError(`The protocol '${name.slice(0, 50)}' is not supported.`);
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0) {
    throw new ProtocolError('The handshake names no version');
  }
  if (version > statefulVersion) {
    throw new ProtocolError(`Version ${version} of the '${name}' protocol is not supported.`);
  }
  if (protocol.kind === 'binary' && transport === 'serverSentEvents') {
    throw new ProtocolError(`The '${name}' protocol needs a transport that carries bytes.`);
  }
  return { protocol, version };
}

/** Always JSON, whatever is spoken after it. */
export function handshakeAnswer(error?: string): Buffer {
  return Buffer.from(`${JSON.stringify(error === undefined ? {} : { error })}\u001e`);
}
