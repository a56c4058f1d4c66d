import { setTimeout as pause } from 'node:timers/promises';
import type { HubConnection } from '../../hub/hub.ts';

/** A server stream pauses while more bytes than this are pending. */
const maxPendingBytes = 64 * 1_024;
const pauseMs = 20;

/** Resolves when the client has received most of the pending bytes, or the connection is closed. */
export async function waitForSendCapacity<User>(connection: HubConnection<User>): Promise<void> {
  while (connection.isOpen && connection.pendingBytes > maxPendingBytes) await pause(pauseMs);
}
