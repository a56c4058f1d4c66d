import { JsonHubProtocol, NullLogger } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { expect, test } from 'vitest';
import type { HubMessage } from '../hub/hub-message.ts';
import { createFramer, type WireFormat } from './message-framer.ts';

const alarm = { id: 4_294_967_295, message: 'Überdruck “hoch”', masked: false, list: [1.5, null] };
const message: HubMessage = {
  invocations: [
    { target: 'onAlarm', argumentsJson: JSON.stringify([alarm]) },
    { target: 'on"Cursor"', argumentsJson: '[]' },
  ],
  cursor: 'a"1',
};
const { frame } = createFramer('alarmHub');
const calls = [
  { type: 1, target: 'onAlarm', arguments: [alarm] },
  { type: 1, target: 'on"Cursor"', arguments: [] },
];

test('the official client parses invocations in JSON and MessagePack', () => {
  const json = frame(message, 'coreJsonPayload').toString();
  expect(new JsonHubProtocol().parseMessages(json, NullLogger.instance)).toMatchObject(calls);
  const packed = Uint8Array.from(frame(message, 'coreMessagePackPayload')).buffer;
  expect(new MessagePackHubProtocol().parseMessages(packed, NullLogger.instance)).toMatchObject(calls);
});

test('a classic message has the cursor and the exact name of the hub', () => {
  expect(JSON.parse(frame(message, 'classicPayload').toString())).toEqual({
    C: 'a"1',
    M: [
      { H: 'alarmHub', M: 'onAlarm', A: [alarm] },
      { H: 'alarmHub', M: 'on"Cursor"', A: [] },
    ],
  });
  expect(frame({ invocations: [] }, 'classicPayload').toString()).toBe('{"M":[]}');
});

const formats: WireFormat[] = [
  'coreJsonPayload',
  'coreJsonWebSocket',
  'coreJsonEventStream',
  'coreMessagePackPayload',
  'coreMessagePackWebSocket',
  'classicPayload',
  'classicWebSocket',
  'classicEventStream',
];

test.for(formats)('a message is encoded once for all clients: %s', (format) => {
  const first = frame(message, format);
  expect(frame({ ...message }, format)).toEqual(first);
  expect(frame(message, format)).toBe(first);
});

test('a message without invocations is empty in the Core formats', () => {
  const empty = { invocations: [], cursor: '9' };
  expect(frame(empty, 'coreJsonWebSocket')).toHaveLength(0);
  expect(frame(empty, 'coreJsonEventStream')).toHaveLength(0);
  expect(frame(empty, 'coreMessagePackWebSocket')).toHaveLength(0);
});
