import type { HubConnection } from './hub.ts';
import type { HubMessage } from './hub-message.ts';

export type FanOut = {
  /**
   * Sends to each connection what `messageFor` says at the moment of writing, or nothing. Broadcasts go out one after
   * the other, so every connection sees them in the order of the calls. Resolves when the last was written, with how
   * long the writing itself took, in ms.
   */
  broadcast<User>(
    connections: readonly HubConnection<User>[],
    messageFor: (connection: HubConnection<User>) => HubMessage | undefined,
  ): Promise<number>;
  /** Broadcasts that are not written whole. */
  readonly waiting: number;
};

export type FanOutOptions = {
  /** How many connections are written to before others get a turn. */
  readonly sliceSize?: number;
  /** For how long, in ms. */
  readonly sliceMs?: number;
  /** A `messageFor` that throws loses its own connection's message only. */
  readonly onError?: (error: unknown) => void;
};

type Broadcast = {
  readonly length: number;
  /** Writes to the connections from `start` to before `end`, or as far as time allows; says how far. */
  write(start: number, end: number): number;
  /** How long the writing took, in ms. */
  spentMs(): number;
  done(): void;
};

/** Between two looks at the clock. */
const connectionsPerLook = 32;

/** Writing to ten thousand sockets takes 70 ms and more; in slices nobody else waits longer than for one of them. */
export function createFanOut({ sliceSize = 500, sliceMs = 8, onError }: FanOutOptions = {}): FanOut {
  const queue: Broadcast[] = [];
  let position = 0;

  const writeSlice = () => {
    const broadcast = queue[0];
    if (broadcast === undefined) return;
    position = broadcast.write(position, Math.min(position + sliceSize, broadcast.length));
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
      const { length } = connections;
      const writer = writerOf(connections, messageFor, { sliceMs, onError });
      const isAlone = queue.length === 0 && length <= sliceSize;
      const reached = isAlone ? writer.write(0, length) : 0;
      if (isAlone && reached === length) return Promise.resolve(writer.spentMs());
      return new Promise<number>((resolve) => {
        queue.push({ length, ...writer, done: () => resolve(writer.spentMs()) });
        if (queue.length > 1) return;
        position = reached;
        setImmediate(writeSlice);
      });
    },
  };
}

function writerOf<User>(
  connections: readonly HubConnection<User>[],
  messageFor: (connection: HubConnection<User>) => HubMessage | undefined,
  { sliceMs, onError }: { sliceMs: number; onError: FanOutOptions['onError'] },
): Pick<Broadcast, 'write' | 'spentMs'> {
  let spentMs = 0;
  const write = (start: number, end: number) => {
    const startMs = performance.now();
    let index = start;
    for (; index < end; index += 1) {
      const isLook = index > start && (index - start) % connectionsPerLook === 0;
      if (isLook && performance.now() - startMs > sliceMs) break;
      const connection = connections[index];
      if (connection?.isOpen) sendTo(connection, messageFor, onError);
    }
    spentMs += performance.now() - startMs;
    return index;
  };
  return { write, spentMs: () => spentMs };
}

function sendTo<User>(
  connection: HubConnection<User>,
  messageFor: (connection: HubConnection<User>) => HubMessage | undefined,
  onError: FanOutOptions['onError'],
): void {
  try {
    const message = messageFor(connection);
    if (message !== undefined) connection.send(message);
  } catch (error) {
    onError?.(error);
  }
}
