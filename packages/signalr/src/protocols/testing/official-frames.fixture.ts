import { type HubMessage, type IHubProtocol, JsonHubProtocol, MessageType } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';

export const officialProtocols: Record<'json' | 'messagepack', IHubProtocol> = {
  json: new JsonHubProtocol(),
  messagepack: new MessagePackHubProtocol(),
};

const value = { text: 'Überdruck', list: [1, -1, 1.5, null, true], deep: { deeper: { deepest: [] } } };

/** One message of each type that the official client can send. */
export const clientMessages: readonly HubMessage[] = [
  { type: MessageType.Invocation, target: 'subscribe', arguments: [value, 'x'.repeat(300)] },
  {
    type: MessageType.Invocation,
    invocationId: '1',
    target: 'add',
    arguments: [1, 70_000],
    streamIds: ['7', '8'],
  },
  { type: MessageType.StreamInvocation, invocationId: '2', target: 'count', arguments: [], streamIds: [] },
  { type: MessageType.StreamItem, invocationId: '7', item: value },
  { type: MessageType.Completion, invocationId: '7' },
  { type: MessageType.Completion, invocationId: '8', error: 'lost it' },
  { type: MessageType.CancelInvocation, invocationId: '2' },
  { type: MessageType.Ping },
  { type: MessageType.Close },
  { type: MessageType.Ack, sequenceId: 12 },
  { type: MessageType.Sequence, sequenceId: 300 },
];

export function officialFrame(name: 'json' | 'messagepack', message: HubMessage): Buffer {
  const written = officialProtocols[name].writeMessage(message);
  return typeof written === 'string' ? Buffer.from(written) : Buffer.from(written);
}

export const sampleValue = value;
