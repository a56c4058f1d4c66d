import type { HubConnection } from '../hub/hub.ts';
import type { HubMessage } from '../hub/hub-message.ts';

export type FanOut = {
  /**
   * Sends each connection the message that `messageFor` returns when its turn comes, if any. Broadcasts are written
   * one after the other, so every connection receives them in the order of the calls. Resolves when all are written,
   * with the time the writing took in ms.
   */
  broadcast<User>(
    connections: readonly HubConnection<User>[],
    messageFor: (connection: HubConnection<User>) => HubMessage | undefined,
  ): Promise<number>;
  /** Broadcasts that are not completely written. */
  readonly waiting: number;
};

export type FanOutOptions = {
  /** Connections written to before the event loop continues. */
  readonly sliceSize?: number;
  /** Limits the time of one slice. */
  readonly sliceMs?: number;
  /** Called if `messageFor` throws. Only that connection misses the message. */
  readonly onError?: (error: unknown) => void;
};

type Broadcast = {
  readonly length: number;
  /** Writes to the connections from `start` until `end` or the time limit. Returns the next index. */
  write(start: number, end: number): number;
  spentMs(): number;
  done(): void;
};

/** Connections written to between two reads of the clock. */
const connectionsPerClockCheck = 32;

/** Writes broadcasts in slices: ten thousand sockets take 70 ms and more, which would block the event loop. */
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
      const writer = createWriter(connections, messageFor, { sliceMs, onError });
      const isOnly = queue.length === 0 && length <= sliceSize;
      const reached = isOnly ? writer.write(0, length) : 0;
      if (isOnly && reached === length) return Promise.resolve(writer.spentMs());
      return new Promise<number>((resolve) => {
        queue.push({ length, ...writer, done: () => resolve(writer.spentMs()) });
        if (queue.length > 1) return;
        position = reached;
        setImmediate(writeSlice);
      });
    },
  };
}

function createWriter<User>(
  connections: readonly HubConnection<User>[],
  messageFor: (connection: HubConnection<User>) => HubMessage | undefined,
  { sliceMs, onError }: { sliceMs: number; onError: FanOutOptions['onError'] },
): Pick<Broadcast, 'write' | 'spentMs'> {
  let spentMs = 0;
  const write = (start: number, end: number) => {
    const startMs = performance.now();
    let index = start;
    for (; index < end; index += 1) {
      const isClockCheck = index > start && (index - start) % connectionsPerClockCheck === 0;
      if (isClockCheck && performance.now() - startMs > sliceMs) break;
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
