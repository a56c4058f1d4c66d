import { setTimeout as pause } from 'node:timers/promises';
import type { HubConnection } from '../hub/hub.ts';

export type DrainOptions = {
  /** The time over which the connections are closed. */
  readonly overMs: number;
  readonly sliceSize?: number;
};

/** Closes all connections in slices at random intervals, so that the clients do not all reconnect at once. */
export async function drainConnections<User>(
  connections: ReadonlySet<HubConnection<User>>,
  { overMs, sliceSize = 200 }: DrainOptions,
): Promise<void> {
  const all = [...connections];
  const sliceCount = Math.ceil(all.length / sliceSize);
  for (let slice = 0; slice < sliceCount; slice += 1) {
    const batch = all.slice(slice * sliceSize, (slice + 1) * sliceSize);
    for (const connection of batch) connection.close({ allowReconnect: true });
    if (slice < sliceCount - 1) await pause((overMs / sliceCount) * (0.5 + Math.random()));
  }
}
