import { setTimeout as pause } from 'node:timers/promises';
import type { HubConnection } from '../hub.ts';

/** A stream of the server waits while more than this is unsent. */
const mostPendingBytes = 64 * 1_024;
const pauseMs = 20;

/** Resolves when the client has read most of what was sent, or is gone. */
export async function untilDrained<User>(connection: HubConnection<User>): Promise<void> {
  while (connection.isOpen && connection.pendingBytes > mostPendingBytes) await pause(pauseMs);
}
