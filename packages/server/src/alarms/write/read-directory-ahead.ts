import type { ConfigurationCache } from '../../escalations/configuration-cache.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import type { AlarmCommand } from '../decide/alarm-command.ts';

/** Returns the read to wait for before the command is queued; undefined if there is none. */
export type ReadAhead = (tenantId: number, command: AlarmCommand) => Promise<void> | undefined;

/**
 * Reads the call directory of a tenant that is not cached before its commands are queued. A batch would otherwise read it
 * while it holds the tenant's lock and one of the few connections for writing alarms. The batch compares the version, and
 * reads again if the configuration has changed meanwhile.
 */
export function createReadAhead({ database }: Runtime, configuration: ConfigurationCache): ReadAhead {
  const reading = new Map<number, Promise<void>>();
  return (tenantId, command) => {
    const current = reading.get(tenantId);
    // A command that needs no directory waits too, because it must not overtake those before it.
    if (current) return current;
    if (!mayAct(command) || configuration.hasDirectory(tenantId)) return undefined;
    const read = readTenant(database, tenantId, (transaction) =>
      configuration.readDirectory(transaction),
    ).then(
      () => undefined,
      // The batch reads it then, and answers the command.
      () => undefined,
    );
    reading.set(tenantId, read);
    // Before the commands that wait are queued, so that none is queued in between.
    void read.then(() => reading.delete(tenantId));
    return read;
  };
}

/** Whether people may be called or programs run. A post without actions of its own may have those of its tag group. */
function mayAct(command: AlarmCommand): boolean {
  if (command.kind !== 'post') return true;
  const { alarmActions = [], resetActions = [], ackActions = [], tagGroupId } = command.body;
  return Boolean(tagGroupId) || alarmActions.length + resetActions.length + ackActions.length > 0;
}
