import { Decoder as BodyDecoder } from '@msgpack/msgpack';
import {
  type ClientMessage,
  type Decoder,
  type HubProtocol,
  idOf,
  listOf,
  messageTypes,
  type Outcome,
  ProtocolError,
  type ServerMessage,
  sequenceOf,
  textOf,
} from './hub-protocol.ts';
import { Inbox, tooLong } from './inbox.ts';
import { messagePackFrame } from './messagepack-encode.ts';
import { isTooDeep, mostLevels } from './nesting.ts';

/** Of a length; more would be 2 GiB and beyond. */
const longestPrefix = 5;
const resultKinds = { error: 1, void: 2, value: 3 } as const;

export const messagePackProtocol: HubProtocol = {
  name: 'messagepack',
  kind: 'binary',
  encode: (message) => messagePackFrame(toParts(message)),
  createDecoder,
};

function createDecoder(most: number): Decoder {
  const inbox = new Inbox();
  const body = new BodyDecoder({
    maxStrLength: most,
    maxBinLength: most,
    maxArrayLength: most,
    maxMapLength: most,
    maxExtLength: most,
    // The shared one would remember keys of clients.
    keyDecoder: null,
  });
  return {
    add: (bytes) => inbox.add(bytes),
    next: () => {
      const prefix = readPrefix(inbox);
      if (prefix === undefined) return undefined;
      if (prefix.size + prefix.length > most) throw tooLong(most);
      if (inbox.length < prefix.size + prefix.length) return undefined;
      return fromParts(decodeParts(body, inbox.take(prefix.size, prefix.length)));
    },
  };
}

/** The VarInt before a message, undefined while it is not whole. */
function readPrefix(inbox: Inbox): { size: number; length: number } | undefined {
  let length = 0;
  for (let index = 0; index < longestPrefix; index += 1) {
    const byte = inbox.at(index);
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
  if (isTooDeep(value)) throw new ProtocolError(`A message has more than ${mostLevels} levels`);
  return listOf(value, 'A message');
}

type PartsReader = (parts: readonly unknown[]) => ClientMessage;

const readers: Record<number, PartsReader> = {
  [messageTypes.invocation]: (parts) => invocationOf(parts, false),
  [messageTypes.streamInvocation]: (parts) => invocationOf(parts, true),
  [messageTypes.streamItem]: ([, , id, item]) => ({
    kind: 'streamItem',
    id: idOf(id, 'invocationId'),
    item,
  }),
  [messageTypes.completion]: ([, , id, kind, result]) => ({
    kind: 'completion',
    id: idOf(id, 'invocationId'),
    error: kind === resultKinds.error ? textOf(result, 'error') : undefined,
  }),
  [messageTypes.cancelInvocation]: ([, , id]) => ({
    kind: 'cancelInvocation',
    id: idOf(id, 'invocationId'),
  }),
  [messageTypes.ping]: () => ({ kind: 'ping' }),
  [messageTypes.close]: () => ({ kind: 'close' }),
  [messageTypes.ack]: ([, id]) => ({ kind: 'ack', sequenceId: sequenceOf(id) }),
  [messageTypes.sequence]: ([, id]) => ({ kind: 'sequence', sequenceId: sequenceOf(id) }),
};

function fromParts(parts: readonly unknown[]): ClientMessage {
  const [type] = parts;
  if (typeof type !== 'number') throw new ProtocolError('type is not a number');
  return readers[type]?.(parts) ?? { kind: 'unknown' };
}

function invocationOf(parts: readonly unknown[], streaming: boolean): ClientMessage {
  const [, , id, target, args, streamIds] = parts;
  return {
    kind: 'invocation',
    id: id === undefined || id === null ? undefined : idOf(id, 'invocationId'),
    target: textOf(target, 'target'),
    args: listOf(args, 'arguments'),
    streamIds: listOf(streamIds ?? [], 'streamIds').map((each) => idOf(each, 'streamIds')),
    streaming,
  };
}

function toParts(message: ServerMessage): readonly unknown[] {
  switch (message.kind) {
    case 'streamItem':
      return [messageTypes.streamItem, {}, message.id, message.item];
    case 'completion':
      return [messageTypes.completion, {}, message.id, ...resultOf(message.outcome)];
    case 'close':
      return [messageTypes.close, message.error ?? null, message.allowReconnect];
    case 'ping':
      return [messageTypes.ping];
    case 'ack':
    case 'sequence':
      return [messageTypes[message.kind], message.sequenceId];
  }
}

function resultOf(outcome: Outcome): readonly unknown[] {
  if (outcome.kind === 'error') return [resultKinds.error, outcome.error];
  if (outcome.kind === 'value') return [resultKinds.value, outcome.value];
  return [resultKinds.void];
}
