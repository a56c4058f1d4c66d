import type { TransportType } from '../hub/hub.ts';
import { type HubProtocol, ProtocolError } from '../protocols/hub-protocol.ts';
import { jsonProtocol, parseRecord } from '../protocols/json-hub-protocol.ts';
import { messagePackProtocol } from '../protocols/messagepack-hub-protocol.ts';

export type Handshake = { readonly protocol: HubProtocol; readonly version: number };

const protocols = new Map(
  [jsonProtocol, messagePackProtocol].map((protocol) => [protocol.name as string, protocol]),
);
/** Protocol version 2 adds stateful reconnect. Clients of version 0 are still in use. */
export const statefulReconnectVersion = 2;

/** Parses the handshake request, the first record of a client. Throws a ProtocolError if it cannot be accepted. */
export function parseHandshake(record: Buffer, transportType: TransportType): Handshake {
  const { protocol: name, version } = parseRecord(record);
  if (typeof name !== 'string') throw new ProtocolError('The handshake has no protocol');
  const protocol = protocols.get(name);
  if (protocol === undefined)
    throw new ProtocolError(`The protocol '${name.slice(0, 50)}' is not supported.`);
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0) {
    throw new ProtocolError('The handshake has no version');
  }
  if (version > statefulReconnectVersion) {
    throw new ProtocolError(`Version ${version} of the '${name}' protocol is not supported.`);
  }
  if (protocol.transferFormat === 'binary' && transportType === 'serverSentEvents') {
    throw new ProtocolError(`The '${name}' protocol needs a transportType that carries bytes.`);
  }
  return { protocol, version };
}

/** The handshake is always JSON, whichever protocol it selects. */
export function handshakeResponse(error?: string): Buffer {
  return Buffer.from(`${JSON.stringify(error === undefined ? {} : { error })}\u001e`);
}
