import type { HubInvocation, HubMessage } from '../hub/hub-message.ts';
import { messagePackFrame } from '../protocols/messagepack-frame.ts';
import { eventStreamFrame } from '../transports/server-sent-events-transport.ts';
import { webSocketFrame } from '../transports/web-socket-frame.ts';

/** An encoding of a message: plain (`payload`, for long polling) or framed for a transport. */
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
  /** Encodes the message at most once per format. In the Core formats a message without invocations is empty. */
  frame(message: HubMessage, format: WireFormat): Buffer;
};

type Frames = Partial<Record<WireFormat, Buffer>>;

export function createFramer(hubName: string): Framer {
  const framesByMessage = new WeakMap<HubMessage, Frames>();
  // A broadcast encodes the same message thousands of times in a row.
  let lastMessage: HubMessage | undefined;
  let lastFrames: Frames = {};
  const framesOf = (message: HubMessage): Frames => {
    if (message === lastMessage) return lastFrames;
    const frames = framesByMessage.get(message) ?? {};
    framesByMessage.set(message, frames);
    lastMessage = message;
    lastFrames = frames;
    return frames;
  };
  const frame = (message: HubMessage, format: WireFormat): Buffer => {
    const frames = framesOf(message);
    const cached = frames[format];
    if (cached !== undefined) return cached;
    const bytes = encoders[format]({ message, hubName, frame });
    frames[format] = bytes;
    return bytes;
  };
  return { frame };
}

type FrameInput = { readonly message: HubMessage; readonly hubName: string } & Framer;

const empty = Buffer.alloc(0);

const encoders: Record<WireFormat, (input: FrameInput) => Buffer> = {
  coreJsonPayload: ({ message }) => Buffer.from(message.invocations.map(coreJson).join('')),
  coreJsonWebSocket: ({ message, frame }) =>
    message.invocations.length === 0 ? empty : webSocketFrame(frame(message, 'coreJsonPayload'), 'text'),
  coreJsonEventStream: ({ message, frame }) =>
    message.invocations.length === 0 ? empty : eventStreamFrame(frame(message, 'coreJsonPayload')),
  coreMessagePackPayload: ({ message }) => Buffer.concat(message.invocations.map(coreMessagePack)),
  coreMessagePackWebSocket: ({ message, frame }) =>
    message.invocations.length === 0
      ? empty
      : webSocketFrame(frame(message, 'coreMessagePackPayload'), 'binary'),
  classicPayload: ({ message, hubName }) => Buffer.from(classicJson(message, hubName)),
  classicWebSocket: ({ message, frame }) => webSocketFrame(frame(message, 'classicPayload'), 'text'),
  classicEventStream: ({ message, frame }) => eventStreamFrame(frame(message, 'classicPayload')),
};

function coreJson({ target, argumentsJson }: HubInvocation): string {
  return `{"type":1,"target":${JSON.stringify(target)},"arguments":${argumentsJson}}\u001e`;
}

function coreMessagePack({ target, argumentsJson }: HubInvocation): Buffer {
  return messagePackFrame([1, {}, null, target, JSON.parse(argumentsJson) as unknown, []]);
}

function classicJson({ invocations, cursor }: HubMessage, hubName: string): string {
  const hub = JSON.stringify(hubName);
  const messages = invocations.map(
    ({ target, argumentsJson }) => `{"H":${hub},"M":${JSON.stringify(target)},"A":${argumentsJson}}`,
  );
  const cursorMember = cursor === undefined ? '' : `"C":${JSON.stringify(cursor)},`;
  return `{${cursorMember}"M":[${messages.join(',')}]}`;
}
