import type { ClientMessage } from '../codec/hub-protocol.ts';
import type { Invocations } from './invocations.ts';
import type { StatefulBuffer } from './stateful-buffer.ts';

export type Takers<User> = {
  readonly invocations: Invocations<User>;
  readonly buffer: StatefulBuffer | undefined;
  pinged(): void;
  closed(): void;
};

/** Gives a message to the part that it is for. */
export function takeMessage<User>(message: ClientMessage, takers: Takers<User>): void {
  const { invocations, buffer } = takers;
  switch (message.kind) {
    case 'invocation':
      return invocations.invoke(message);
    case 'streamItem':
      return invocations.addItem(message.id, message.item);
    case 'completion':
      return invocations.endUpload(message.id, message.error);
    case 'cancelInvocation':
      return invocations.cancel(message.id);
    case 'ping':
      return takers.pinged();
    case 'close':
      return takers.closed();
    case 'ack':
      return buffer?.acknowledged(message.sequenceId);
    case 'sequence':
      return buffer?.resumed(message.sequenceId);
    case 'unknown':
  }
}
