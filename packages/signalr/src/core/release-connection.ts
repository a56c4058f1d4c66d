import type { HubConnection } from '../hub/hub.ts';
import type { ServerContext } from '../runtime/server-context.ts';

/** Removes an ended connection from the counts. `onDisconnected` is called after `onConnected` has settled. */
export function releaseConnection<User>(
  { admission, connections, counters, hub, log }: ServerContext<User>,
  connection: HubConnection<User>,
  connected: Promise<void> | undefined,
): void {
  if (connected === undefined) admission.handshakeFinished();
  admission.removeConnection(connection.identity.key);
  connections.delete(connection);
  counters.closed += 1;
  connected
    ?.then(() => hub.onDisconnected(connection))
    .catch((error: unknown) => log.error({ err: error }, 'hub could not disconnect a client'));
}
