import { Decoder as BodyDecoder } from '@msgpack/msgpack';
import {
  asArray,
  asId,
  asSequenceId,
  asString,
  type ClientMessage,
  type CompletionResult,
  type Decoder,
  type HubProtocol,
  messageTypes,
  ProtocolError,
  type ServerMessage,
} from './hub-protocol.ts';
import { messagePackFrame } from './messagepack-frame.ts';
import { isTooDeep, maxNestingLevels } from './nesting-limit.ts';
import { messageTooLong, ReceiveBuffer } from './receive-buffer.ts';

/** The length prefix has at most 5 bytes; a longer one would mean 2 GiB and more. */
const maxPrefixBytes = 5;
const resultKinds = { error: 1, void: 2, value: 3 } as const;

export const messagePackProtocol: HubProtocol = {
  name: 'messagepack',
  transferFormat: 'binary',
  encode: (message) => messagePackFrame(toParts(message)),
  createDecoder,
};

function createDecoder(maxBytes: number): Decoder {
  const buffer = new ReceiveBuffer();
  const body = new BodyDecoder({
    maxStrLength: maxBytes,
    maxBinLength: maxBytes,
    maxArrayLength: maxBytes,
    maxMapLength: maxBytes,
    maxExtLength: maxBytes,
    // The default key decoder would cache keys sent by clients.
    keyDecoder: null,
  });
  return {
    add: (bytes) => buffer.add(bytes),
    next: () => {
      const prefix = readPrefix(buffer);
      if (prefix === undefined) return undefined;
      if (prefix.size + prefix.length > maxBytes) throw messageTooLong(maxBytes);
      if (buffer.length < prefix.size + prefix.length) return undefined;
      return parseMessage(decodeParts(body, buffer.take(prefix.size, prefix.length)));
    },
  };
}

/** Reads the VarInt before a message. Returns undefined until it is complete. */
function readPrefix(buffer: ReceiveBuffer): { size: number; length: number } | undefined {
  let length = 0;
  for (let index = 0; index < maxPrefixBytes; index += 1) {
    const byte = buffer.at(index);
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 128 ** index;
    if ((byte & 0x80) === 0) return { size: index + 1, length };
  }
  throw new ProtocolError('A length is not valid');
}

function decodeParts(body: BodyDecoder, bytes: Buffer): readonly unknown[] {
  let value: unknown;
  try {
    value = body.decode(bytes);
  } catch {
    throw new ProtocolError('A message is not MessagePack');
  }
  if (isTooDeep(value)) throw new ProtocolError(`A message has more than ${maxNestingLevels} levels`);
  return asArray(value, 'A message');
}

type PartsParser = (parts: readonly unknown[]) => ClientMessage;

const parsers: Record<number, PartsParser> = {
  [messageTypes.invocation]: (parts) => parseInvocation(parts, false),
  [messageTypes.streamInvocation]: (parts) => parseInvocation(parts, true),
  [messageTypes.streamItem]: ([, , id, item]) => ({
    kind: 'streamItem',
    id: asId(id, 'invocationId'),
    item,
  }),
  [messageTypes.completion]: ([, , id, kind, result]) => ({
    kind: 'completion',
    id: asId(id, 'invocationId'),
    error: kind === resultKinds.error ? asString(result, 'error') : undefined,
  }),
  [messageTypes.cancelInvocation]: ([, , id]) => ({
    kind: 'cancelInvocation',
    id: asId(id, 'invocationId'),
  }),
  [messageTypes.ping]: () => ({ kind: 'ping' }),
  [messageTypes.close]: () => ({ kind: 'close' }),
  [messageTypes.ack]: ([, id]) => ({ kind: 'ack', sequenceId: asSequenceId(id) }),
  [messageTypes.sequence]: ([, id]) => ({ kind: 'sequence', sequenceId: asSequenceId(id) }),
};

function parseMessage(parts: readonly unknown[]): ClientMessage {
  const [type] = parts;
  if (typeof type !== 'number') throw new ProtocolError('type is not a number');
  return parsers[type]?.(parts) ?? { kind: 'unknown' };
}

function parseInvocation(parts: readonly unknown[], isStream: boolean): ClientMessage {
  const [, , id, target, args, streamIds] = parts;
  return {
    kind: 'invocation',
    id: id === undefined || id === null ? undefined : asId(id, 'invocationId'),
    target: asString(target, 'target'),
    args: asArray(args, 'arguments'),
    streamIds: asArray(streamIds ?? [], 'streamIds').map((each) => asId(each, 'streamIds')),
    isStream,
  };
}

function toParts(message: ServerMessage): readonly unknown[] {
  switch (message.kind) {
    case 'streamItem':
      return [messageTypes.streamItem, {}, message.id, message.item];
    case 'completion':
      return [messageTypes.completion, {}, message.id, ...completionParts(message.result)];
    case 'close':
      return [messageTypes.close, message.error ?? null, message.allowReconnect];
    case 'ping':
      return [messageTypes.ping];
    case 'ack':
    case 'sequence':
      return [messageTypes[message.kind], message.sequenceId];
  }
}

function completionParts(result: CompletionResult): readonly unknown[] {
  if (result.kind === 'error') return [resultKinds.error, result.error];
  if (result.kind === 'value') return [resultKinds.value, result.value];
  return [resultKinds.void];
}
