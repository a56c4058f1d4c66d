import type { FamilyContext } from '../family.ts';
import type { HubConnection } from '../hub.ts';

/** Takes an ended connection off all lists. The hub hears of it when it has taken it in, never before. */
export function letGo<User>(
  { admission, connections, counters, hub, log }: FamilyContext<User>,
  connection: HubConnection<User>,
  joined: Promise<void> | undefined,
): void {
  if (joined === undefined) admission.handshakeEnded();
  admission.leave(connection.identity.key);
  connections.delete(connection);
  counters.closed += 1;
  joined
    ?.then(() => hub.leave(connection))
    .catch((error: unknown) => log.error({ err: error }, 'hub could not let a connection go'));
}
