import { messagePackFrame } from './codec/messagepack-encode.ts';
import type { HubMessage } from './hub-message.ts';
import { eventStreamFrame } from './transports/event-stream-sink.ts';
import { webSocketFrame } from './transports/web-socket-frame.ts';

/** A protocol's bytes, as they are (`payload`: long polling) or framed for a transport. */
export type WireFormat =
  | 'coreJsonPayload'
  | 'coreJsonWebSocket'
  | 'coreJsonEventStream'
  | 'coreMessagePackPayload'
  | 'coreMessagePackWebSocket'
  | 'classicPayload'
  | 'classicWebSocket'
  | 'classicEventStream';

export type Framer = {
  /** The message in the format, made at most once. Empty when it has no calls, in the Core formats. */
  frame(message: HubMessage, format: WireFormat): Buffer;
};

type Ready = Partial<Record<WireFormat, Buffer>>;

export function createFramer(hubName: string): Framer {
  const readyMessages = new WeakMap<HubMessage, Ready>();
  // A broadcast asks for the same message thousands of times in a row.
  let lastMessage: HubMessage | undefined;
  let lastReady: Ready = {};
  const readyOf = (message: HubMessage): Ready => {
    if (message === lastMessage) return lastReady;
    const ready = readyMessages.get(message) ?? {};
    readyMessages.set(message, ready);
    lastMessage = message;
    lastReady = ready;
    return ready;
  };
  const frame = (message: HubMessage, format: WireFormat): Buffer => {
    const ready = readyOf(message);
    const made = ready[format];
    if (made !== undefined) return made;
    const bytes = make[format]({ message, hubName, frame });
    ready[format] = bytes;
    return bytes;
  };
  return { frame };
}

type Order = { readonly message: HubMessage; readonly hubName: string } & Framer;

const nothing = Buffer.alloc(0);

const make: Record<WireFormat, (order: Order) => Buffer> = {
  coreJsonPayload: ({ message }) => Buffer.from(message.calls.map(coreJson).join('')),
  coreJsonWebSocket: ({ message, frame }) =>
    message.calls.length === 0 ? nothing : webSocketFrame(frame(message, 'coreJsonPayload'), 'text'),
  coreJsonEventStream: ({ message, frame }) =>
    message.calls.length === 0 ? nothing : eventStreamFrame(frame(message, 'coreJsonPayload')),
  coreMessagePackPayload: ({ message }) => Buffer.concat(message.calls.map(coreMessagePack)),
  coreMessagePackWebSocket: ({ message, frame }) =>
    message.calls.length === 0 ? nothing : webSocketFrame(frame(message, 'coreMessagePackPayload'), 'binary'),
  classicPayload: ({ message, hubName }) => Buffer.from(classicJson(message, hubName)),
  classicWebSocket: ({ message, frame }) => webSocketFrame(frame(message, 'classicPayload'), 'text'),
  classicEventStream: ({ message, frame }) => eventStreamFrame(frame(message, 'classicPayload')),
};

function coreJson({ target, argumentsJson }: HubMessage['calls'][number]): string {
  return `{"type":1,"target":${JSON.stringify(target)},"arguments":${argumentsJson}}\u001e`;
}

function coreMessagePack({ target, argumentsJson }: HubMessage['calls'][number]): Buffer {
  return messagePackFrame([1, {}, null, target, JSON.parse(argumentsJson) as unknown, []]);
}

function classicJson({ calls, cursor }: HubMessage, hubName: string): string {
  const hub = JSON.stringify(hubName);
  const messages = calls.map(
    ({ target, argumentsJson }) => `{"H":${hub},"M":${JSON.stringify(target)},"A":${argumentsJson}}`,
  );
  const place = cursor === undefined ? '' : `"C":${JSON.stringify(cursor)},`;
  return `{${place}"M":[${messages.join(',')}]}`;
}
