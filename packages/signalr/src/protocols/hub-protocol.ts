/** A hub message of a client, after the handshake. */
export type ClientMessage =
  | {
      readonly kind: 'invocation';
      /** Absent if the client expects no completion. */
      readonly id: string | undefined;
      readonly target: string;
      readonly args: readonly unknown[];
      /** Client-to-server streams, passed as further arguments. */
      readonly streamIds: readonly string[];
      /** Whether the client expects a stream of items. */
      readonly isStream: boolean;
    }
  | { readonly kind: 'streamItem'; readonly id: string; readonly item: unknown }
  | { readonly kind: 'completion'; readonly id: string; readonly error: string | undefined }
  | { readonly kind: 'cancelInvocation'; readonly id: string }
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' }
  | { readonly kind: 'ack' | 'sequence'; readonly sequenceId: number }
  /** A message type of a later protocol version, which is ignored. */
  | { readonly kind: 'unknown' };

/** A hub message of the server, other than an invocation. */
export type ServerMessage =
  | { readonly kind: 'streamItem'; readonly id: string; readonly item: unknown }
  | { readonly kind: 'completion'; readonly id: string; readonly result: CompletionResult }
  | { readonly kind: 'ping' }
  | { readonly kind: 'close'; readonly error: string | undefined; readonly allowReconnect: boolean }
  | { readonly kind: 'ack' | 'sequence'; readonly sequenceId: number };

export type CompletionResult =
  | { readonly kind: 'void' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: string };

/** Parses bytes in pieces of any size. */
export type Decoder = {
  add(bytes: Buffer): void;
  /** Returns the next complete message, if any. Throws a ProtocolError on invalid data. */
  next(): ClientMessage | undefined;
};

export type HubProtocol = {
  readonly name: 'json' | 'messagepack';
  readonly transferFormat: 'text' | 'binary';
  encode(message: ServerMessage): Buffer;
  /** `maxBytes` limits one message, including its framing. */
  createDecoder(maxBytes: number): Decoder;
};

/** The client violated the protocol. The message may be sent to it. */
export class ProtocolError extends Error {}

/** The message types of the wire format, the same in both protocols. */
export const messageTypes = {
  invocation: 1,
  streamItem: 2,
  completion: 3,
  streamInvocation: 4,
  cancelInvocation: 5,
  ping: 6,
  close: 7,
  ack: 8,
  sequence: 9,
} as const;

const maxIdLength = 256;

export function asString(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new ProtocolError(`${name} is not a string`);
  return value;
}

export function asId(value: unknown, name: string): string {
  const id = asString(value, name);
  if (id.length > maxIdLength) throw new ProtocolError(`${name} is too long`);
  return id;
}

export function asArray(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError(`${name} is not an array`);
  return value;
}

export function asSequenceId(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new ProtocolError('sequenceId is not a number');
  }
  return value;
}
