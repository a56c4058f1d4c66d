import { setTimeout as pause } from 'node:timers/promises';
import type { HubConnection } from './hub.ts';

export type DrainOptions = {
  /** Over how long the clients are sent away, in ms. */
  readonly overMs: number;
  readonly sliceSize?: number;
};

/** Sends all clients away to come back elsewhere, in slices at uneven times, so that they do not come all at once. */
export async function drainConnections<User>(
  connections: ReadonlySet<HubConnection<User>>,
  { overMs, sliceSize = 200 }: DrainOptions,
): Promise<void> {
  const leaving = [...connections];
  const slices = Math.ceil(leaving.length / sliceSize);
  for (let slice = 0; slice < slices; slice += 1) {
    const some = leaving.slice(slice * sliceSize, (slice + 1) * sliceSize);
    for (const connection of some) connection.close({ allowReconnect: true });
    if (slice < slices - 1) await pause((overMs / slices) * (0.5 + Math.random()));
  }
}
