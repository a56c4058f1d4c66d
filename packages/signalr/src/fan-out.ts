import type { HubConnection } from './hub.ts';
import type { HubMessage } from './hub-message.ts';

export type FanOut = {
  /**
   * Sends to each connection what `messageFor` says at the moment of writing, or nothing. Broadcasts go out one after
   * the other, so every connection sees them in the order of the calls. Resolves when the last was written.
   */
  broadcast<User>(
    connections: readonly HubConnection<User>[],
    messageFor: (connection: HubConnection<User>) => HubMessage | undefined,
  ): Promise<void>;
  /** Broadcasts that are not written whole. */
  readonly waiting: number;
};

export type FanOutOptions = {
  /** How many connections are written to before others get a turn. */
  readonly sliceSize?: number;
  /** A `messageFor` that throws loses its own connection's message only. */
  readonly onError?: (error: unknown) => void;
};

type Broadcast = {
  readonly length: number;
  /** Writes to the connections from `start` to before `end`. */
  write(start: number, end: number): void;
  done(): void;
};

const written = Promise.resolve();

/** Writing to ten thousand sockets takes 70 ms and more; in slices nobody else waits longer than for one of them. */
export function createFanOut({ sliceSize = 500, onError }: FanOutOptions = {}): FanOut {
  const queue: Broadcast[] = [];
  let position = 0;

  const writeSlice = () => {
    const broadcast = queue[0];
    if (broadcast === undefined) return;
    const end = Math.min(position + sliceSize, broadcast.length);
    broadcast.write(position, end);
    position = end;
    if (position >= broadcast.length) {
      queue.shift();
      position = 0;
      broadcast.done();
    }
    if (queue.length > 0) setImmediate(writeSlice);
  };

  return {
    get waiting() {
      return queue.length;
    },
    broadcast: (connections, messageFor) => {
      const write = writerOf(connections, messageFor, onError);
      if (queue.length === 0 && connections.length <= sliceSize) {
        write(0, connections.length);
        return written;
      }
      return new Promise<void>((resolve) => {
        queue.push({ length: connections.length, write, done: resolve });
        if (queue.length === 1) setImmediate(writeSlice);
      });
    },
  };
}

function writerOf<User>(
  connections: readonly HubConnection<User>[],
  messageFor: (connection: HubConnection<User>) => HubMessage | undefined,
  onError: ((error: unknown) => void) | undefined,
): Broadcast['write'] {
  return (start, end) => {
    for (let index = start; index < end; index += 1) {
      const connection = connections[index];
      if (connection === undefined || !connection.isOpen) continue;
      try {
        const message = messageFor(connection);
        if (message !== undefined) connection.send(message);
      } catch (error) {
        onError?.(error);
      }
    }
  };
}
