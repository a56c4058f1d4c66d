import {
  asArray,
  asId,
  asSequenceId,
  asString,
  type ClientMessage,
  type CompletionResult,
  type HubProtocol,
  messageTypes,
  ProtocolError,
  type ServerMessage,
} from './hub-protocol.ts';
import { isJsonTooDeep, maxNestingLevels } from './nesting-limit.ts';
import { ReceiveBuffer } from './receive-buffer.ts';

/** Terminates every message and the handshake. */
export const recordSeparator = 0x1e;

export const jsonProtocol: HubProtocol = {
  name: 'json',
  transferFormat: 'text',
  encode: (message) => Buffer.from(`${JSON.stringify(toJson(message))}\u001e`),
  createDecoder: (maxBytes) => {
    const buffer = new ReceiveBuffer();
    return {
      add: (bytes) => buffer.add(bytes),
      next: () => {
        const record = buffer.takeUntil(recordSeparator, maxBytes);
        return record === undefined ? undefined : parseMessage(parseRecord(record));
      },
    };
  },
};

/** Parses one record, which must be a JSON object. */
export function parseRecord(record: Buffer): Record<string, unknown> {
  const text = record.toString('utf8');
  if (isJsonTooDeep(text)) throw new ProtocolError(`A message has more than ${maxNestingLevels} levels`);
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

type JsonParser = (message: Record<string, unknown>) => ClientMessage;

const parsers: Record<number, JsonParser> = {
  [messageTypes.invocation]: (message) => parseInvocation(message, false),
  [messageTypes.streamInvocation]: (message) => parseInvocation(message, true),
  [messageTypes.streamItem]: ({ invocationId, item }) => ({
    kind: 'streamItem',
    id: asId(invocationId, 'invocationId'),
    item,
  }),
  [messageTypes.completion]: ({ invocationId, error }) => ({
    kind: 'completion',
    id: asId(invocationId, 'invocationId'),
    error: error === undefined || error === null ? undefined : asString(error, 'error'),
  }),
  [messageTypes.cancelInvocation]: ({ invocationId }) => ({
    kind: 'cancelInvocation',
    id: asId(invocationId, 'invocationId'),
  }),
  [messageTypes.ping]: () => ({ kind: 'ping' }),
  [messageTypes.close]: () => ({ kind: 'close' }),
  [messageTypes.ack]: ({ sequenceId }) => ({ kind: 'ack', sequenceId: asSequenceId(sequenceId) }),
  [messageTypes.sequence]: ({ sequenceId }) => ({ kind: 'sequence', sequenceId: asSequenceId(sequenceId) }),
};

function parseMessage(message: Record<string, unknown>): ClientMessage {
  const { type } = message;
  if (typeof type !== 'number') throw new ProtocolError('type is not a number');
  return parsers[type]?.(message) ?? { kind: 'unknown' };
}

function parseInvocation(message: Record<string, unknown>, isStream: boolean): ClientMessage {
  const { invocationId, target, arguments: args, streamIds } = message;
  return {
    kind: 'invocation',
    id: invocationId === undefined || invocationId === null ? undefined : asId(invocationId, 'invocationId'),
    target: asString(target, 'target'),
    args: asArray(args, 'arguments'),
    streamIds: asArray(streamIds ?? [], 'streamIds').map((id) => asId(id, 'streamIds')),
    isStream,
  };
}

function toJson(message: ServerMessage): object {
  switch (message.kind) {
    case 'streamItem':
      return { type: messageTypes.streamItem, invocationId: message.id, item: message.item };
    case 'completion':
      return { type: messageTypes.completion, invocationId: message.id, ...completionFields(message.result) };
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

function completionFields(result: CompletionResult): object {
  if (result.kind === 'error') return { error: result.error };
  return result.kind === 'value' ? { result: result.value } : {};
}
