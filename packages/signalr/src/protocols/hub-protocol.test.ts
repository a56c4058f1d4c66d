import { MessageType, NullLogger } from '@microsoft/signalr';
import { describe, expect, test } from 'vitest';
import type { ClientMessage, ServerMessage } from './hub-protocol.ts';
import { ProtocolError } from './hub-protocol.ts';
import { jsonProtocol } from './json-hub-protocol.ts';
import { messagePackProtocol } from './messagepack-hub-protocol.ts';
import {
  clientMessages,
  officialFrame,
  officialProtocols,
  sampleValue,
} from './testing/official-frames.fixture.ts';

const expected: readonly ClientMessage[] = [
  {
    kind: 'invocation',
    id: undefined,
    target: 'subscribe',
    args: [sampleValue, 'x'.repeat(300)],
    streamIds: [],
    isStream: false,
  },
  { kind: 'invocation', id: '1', target: 'add', args: [1, 70_000], streamIds: ['7', '8'], isStream: false },
  { kind: 'invocation', id: '2', target: 'count', args: [], streamIds: [], isStream: true },
  { kind: 'streamItem', id: '7', item: sampleValue },
  { kind: 'completion', id: '7', error: undefined },
  { kind: 'completion', id: '8', error: 'lost it' },
  { kind: 'cancelInvocation', id: '2' },
  { kind: 'ping' },
  { kind: 'close' },
  { kind: 'ack', sequenceId: 12 },
  { kind: 'sequence', sequenceId: 300 },
];

const serverMessages: readonly [ServerMessage, object][] = [
  [
    { kind: 'streamItem', id: '2', item: sampleValue },
    { type: MessageType.StreamItem, item: sampleValue },
  ],
  [
    { kind: 'completion', id: '1', result: { kind: 'void' } },
    { type: 3, invocationId: '1' },
  ],
  [
    { kind: 'completion', id: '1', result: { kind: 'value', value: null } },
    { type: 3, result: null },
  ],
  [{ kind: 'completion', id: '1', result: { kind: 'value', value: sampleValue } }, { result: sampleValue }],
  [
    { kind: 'completion', id: '1', result: { kind: 'error', error: 'no' } },
    { type: 3, error: 'no' },
  ],
  [{ kind: 'ping' }, { type: 6 }],
  [
    { kind: 'close', error: 'go', allowReconnect: true },
    { type: 7, error: 'go', allowReconnect: true },
  ],
  [
    { kind: 'ack', sequenceId: 70_000 },
    { type: 8, sequenceId: 70_000 },
  ],
  [
    { kind: 'sequence', sequenceId: 3 },
    { type: 9, sequenceId: 3 },
  ],
];

describe.for([jsonProtocol, messagePackProtocol])('$name', ({ name, createDecoder, encode }) => {
  const frames = clientMessages.map((message) => officialFrame(name, message));

  test('all messages of the official client are parsed', () => {
    const decoder = createDecoder(32_768);
    decoder.add(Buffer.concat(frames));
    expect(frames.map(() => decoder.next())).toEqual(expected);
    expect(decoder.next()).toBeUndefined();
  });

  test('messages that arrive byte by byte are parsed', () => {
    const decoder = createDecoder(32_768);
    const read: ClientMessage[] = [];
    for (const byte of Buffer.concat(frames)) {
      decoder.add(Buffer.from([byte]));
      const message = decoder.next();
      if (message !== undefined) read.push(message);
    }
    expect(read).toEqual(expected);
  });

  test.for(serverMessages)('the official client parses the encoded message: %o', ([message, meaning]) => {
    const bytes = encode(message);
    const input = name === 'json' ? bytes.toString() : Uint8Array.from(bytes).buffer;
    expect(officialProtocols[name].parseMessages(input, NullLogger.instance)).toMatchObject([meaning]);
  });

  test('a message of the maximum size is parsed, and one byte more is not', () => {
    const frame = officialFrame(name, {
      type: MessageType.Invocation,
      target: 'echo',
      arguments: ['x'.repeat(1_000)],
    });
    const largeEnough = createDecoder(frame.length);
    largeEnough.add(frame);
    expect(largeEnough.next()).toMatchObject({ target: 'echo' });
    const tooSmall = createDecoder(frame.length - 1);
    tooSmall.add(frame);
    expect(() => tooSmall.next()).toThrow(ProtocolError);
  });

  test('messages before an invalid one are parsed', () => {
    const decoder = createDecoder(32_768);
    decoder.add(
      Buffer.concat([officialFrame(name, { type: MessageType.Ping }), Buffer.from([2, 0xc1, 0xc1, 0x1e])]),
    );
    expect(decoder.next()).toEqual({ kind: 'ping' });
    expect(() => decoder.next()).toThrow(ProtocolError);
  });
});

test.for([
  ['an endless length prefix', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
  ['an array length of 4 GiB', [6, 0xdd, 0xff, 0xff, 0xff, 0xff, 0x01]],
  ['a string length of 4 GiB', [7, 0x91, 0xdb, 0xff, 0xff, 0xff, 0xff, 0x01]],
  ['a map instead of an array', [1, 0x80]],
  ['a prototype as a key', [13, 0x92, 0x02, 0x81, 0xa9, ...Buffer.from('__proto__'), 0x80]],
  ['nothing', [0]],
] as const)('MessagePack with %s is rejected', ([, bytes]) => {
  const decoder = messagePackProtocol.createDecoder(32_768);
  decoder.add(Buffer.from(bytes));
  expect(() => decoder.next()).toThrow(ProtocolError);
});
