import {
  type ClientMessage,
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
import { Inbox } from './inbox.ts';
import { isJsonTooDeep, mostLevels } from './nesting.ts';

/** Ends every message, and the handshake. */
export const recordSeparator = 0x1e;

export const jsonProtocol: HubProtocol = {
  name: 'json',
  kind: 'text',
  encode: (message) => Buffer.from(`${JSON.stringify(toJson(message))}\u001e`),
  createDecoder: (most) => {
    const inbox = new Inbox();
    return {
      add: (bytes) => inbox.add(bytes),
      next: () => {
        const record = inbox.takeUntil(recordSeparator, most);
        return record === undefined ? undefined : fromJson(parseRecord(record));
      },
    };
  },
};

/** The object of one record. */
export function parseRecord(record: Buffer): Record<string, unknown> {
  const text = record.toString('utf8');
  if (isJsonTooDeep(text)) throw new ProtocolError(`A message has more than ${mostLevels} levels`);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProtocolError('A message is not an object');
  }
  return value as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ProtocolError('A message is not JSON');
  }
}

type JsonReader = (message: Record<string, unknown>) => ClientMessage;

const readers: Record<number, JsonReader> = {
  [messageTypes.invocation]: (message) => invocationOf(message, false),
  [messageTypes.streamInvocation]: (message) => invocationOf(message, true),
  [messageTypes.streamItem]: ({ invocationId, item }) => ({
    kind: 'streamItem',
    id: idOf(invocationId, 'invocationId'),
    item,
  }),
  [messageTypes.completion]: ({ invocationId, error }) => ({
    kind: 'completion',
    id: idOf(invocationId, 'invocationId'),
    error: error === undefined || error === null ? undefined : textOf(error, 'error'),
  }),
  [messageTypes.cancelInvocation]: ({ invocationId }) => ({
    kind: 'cancelInvocation',
    id: idOf(invocationId, 'invocationId'),
  }),
  [messageTypes.ping]: () => ({ kind: 'ping' }),
  [messageTypes.close]: () => ({ kind: 'close' }),
  [messageTypes.ack]: ({ sequenceId }) => ({ kind: 'ack', sequenceId: sequenceOf(sequenceId) }),
  [messageTypes.sequence]: ({ sequenceId }) => ({ kind: 'sequence', sequenceId: sequenceOf(sequenceId) }),
};

function fromJson(message: Record<string, unknown>): ClientMessage {
  const { type } = message;
  if (typeof type !== 'number') throw new ProtocolError('type is not a number');
  return readers[type]?.(message) ?? { kind: 'unknown' };
}

function invocationOf(message: Record<string, unknown>, streaming: boolean): ClientMessage {
  const { invocationId, target, arguments: args, streamIds } = message;
  return {
    kind: 'invocation',
    id: invocationId === undefined || invocationId === null ? undefined : idOf(invocationId, 'invocationId'),
    target: textOf(target, 'target'),
    args: listOf(args, 'arguments'),
    streamIds: listOf(streamIds ?? [], 'streamIds').map((id) => idOf(id, 'streamIds')),
    streaming,
  };
}

function toJson(message: ServerMessage): object {
  switch (message.kind) {
    case 'streamItem':
      return { type: messageTypes.streamItem, invocationId: message.id, item: message.item };
    case 'completion':
      return { type: messageTypes.completion, invocationId: message.id, ...resultOf(message.outcome) };
    case 'close': {
      const { error, allowReconnect } = message;
      return { type: messageTypes.close, error, ...(allowReconnect ? { allowReconnect } : {}) };
    }
    case 'ping':
      return { type: messageTypes.ping };
    case 'ack':
    case 'sequence':
      return { type: messageTypes[message.kind], sequenceId: message.sequenceId };
  }
}

function resultOf(outcome: Outcome): object {
  if (outcome.kind === 'error') return { error: outcome.error };
  return outcome.kind === 'value' ? { result: outcome.value } : {};
}
