/** What a client says after its handshake. */
export type ClientMessage =
  | {
      readonly kind: 'invocation';
      /** Absent when no answer is wanted. */
      readonly id: string | undefined;
      readonly target: string;
      readonly args: readonly unknown[];
      /** Streams the client sends as further arguments. */
      readonly streamIds: readonly string[];
      /** Whether it wants a stream of items. */
      readonly streaming: boolean;
    }
  | { readonly kind: 'streamItem'; readonly id: string; readonly item: unknown }
  | { readonly kind: 'completion'; readonly id: string; readonly error: string | undefined }
  | { readonly kind: 'cancelInvocation'; readonly id: string }
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' }
  | { readonly kind: 'ack' | 'sequence'; readonly sequenceId: number }
  /** Of a later protocol: passed over. */
  | { readonly kind: 'unknown' };

/** What the server says, besides what it pushes. */
export type ServerMessage =
  | { readonly kind: 'streamItem'; readonly id: string; readonly item: unknown }
  | { readonly kind: 'completion'; readonly id: string; readonly outcome: Outcome }
  | { readonly kind: 'ping' }
  | { readonly kind: 'close'; readonly error: string | undefined; readonly allowReconnect: boolean }
  | { readonly kind: 'ack' | 'sequence'; readonly sequenceId: number };

export type Outcome =
  | { readonly kind: 'void' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: string };

/** Takes bytes as they come, whole messages or parts. */
export type Decoder = {
  add(bytes: Buffer): void;
  /** The next whole message, if there is one. Throws a ProtocolError on what cannot be one. */
  next(): ClientMessage | undefined;
};

export type HubProtocol = {
  readonly name: 'json' | 'messagepack';
  readonly kind: 'text' | 'binary';
  encode(message: ServerMessage): Buffer;
  /** `most` is the size of one message, with its framing. */
  createDecoder(most: number): Decoder;
};

/** The client broke the protocol; the text may be told to it. */
export class ProtocolError extends Error {}

/** Numbers of the message kinds on the wire, the same in both protocols. */
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

/** Beyond this an id is no id. */
const longestId = 256;

export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new ProtocolError(`${what} is not a text`);
  return value;
}

export function idOf(value: unknown, what: string): string {
  const id = textOf(value, what);
  if (id.length > longestId) throw new ProtocolError(`${what} is too long`);
  return id;
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError(`${what} is not a list`);
  return value;
}

export function sequenceOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new ProtocolError('sequenceId is not a number');
  }
  return value;
}
