import type { ClientMessage } from '../protocols/hub-protocol.ts';
import type { Invocations } from './invocations/invocations.ts';
import type { StatefulReconnectBuffer } from './stateful-reconnect-buffer.ts';

export type MessageHandlers<User> = {
  readonly invocations: Invocations<User>;
  readonly buffer: StatefulReconnectBuffer | undefined;
  onPing(): void;
  onClose(): void;
};

/** Passes a message to the part of the connection that handles its type. */
export function dispatchMessage<User>(message: ClientMessage, handlers: MessageHandlers<User>): void {
  const { invocations, buffer } = handlers;
  switch (message.kind) {
    case 'invocation':
      return invocations.invoke(message);
    case 'streamItem':
      return invocations.addStreamItem(message.id, message.item);
    case 'completion':
      return invocations.completeClientStream(message.id, message.error);
    case 'cancelInvocation':
      return invocations.cancel(message.id);
    case 'ping':
      return handlers.onPing();
    case 'close':
      return handlers.onClose();
    case 'ack':
      return buffer?.ackReceived(message.sequenceId);
    case 'sequence':
      return buffer?.sequenceReceived(message.sequenceId);
    case 'unknown':
  }
}
