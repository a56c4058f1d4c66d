import { callablePeople, onDuty } from '@tocsin/domain';
import { actionAlarmKind, canBeDone } from '../../alarms/decide/action-alarm.ts';
import { findAlarm } from '../../alarms/store/alarm.store.ts';
import type { CallDirectory } from '../../escalations/call-directory.ts';
import {
  endSystemAlarms,
  listRaisedSystemAlarms,
  type RaisedSystemAlarm,
} from '../../escalations/system-alarm.store.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import { findRoutes, type Routes } from '../engine/find-routes.ts';
import { listNeeded, listRaised } from './unreported-alarm.store.ts';

/** Alarms of other kinds are ended where they are raised. */
const kinds: readonly string[] = ['exhausted', 'group', 'user'];

/** Ends the system alarms about calls whose causes are over. */
export async function endSolvedAlarms(
  dispatch: Dispatch,
  { database, log }: Dispatch['runtime'],
): Promise<void> {
  const tenantIds = await outsideTenants(database, listRaised);
  const endFor = (tenantId: number) =>
    inTenant(database, tenantId, async (transaction) => {
      const ended = await listEnded(dispatch, transaction);
      if (ended.length > 0) await endSystemAlarms(transaction, ended);
    });
  await Promise.all(
    tenantIds.map((tenantId) =>
      endFor(tenantId).catch((error: unknown) =>
        log.error({ err: error, tenantId }, 'system alarms were not ended'),
      ),
    ),
  );
}

async function listEnded(dispatch: Dispatch, transaction: TenantTransaction): Promise<RaisedSystemAlarm[]> {
  const all = await listRaisedSystemAlarms(transaction);
  if (all.length === 0) return [];
  const directory = await dispatch.configuration.readDirectory(transaction);
  const done = await listDoneActions(transaction, directory, all);
  const raised = all.filter(({ kind }) => kinds.includes(kind));
  if (raised.length === 0) return done;
  const needed = await listNeeded(transaction);
  const { routes } = await findRoutes(dispatch, transaction);
  const situation = { directory, routes, now: transaction.now };
  const isOver = (one: RaisedSystemAlarm) =>
    !needed.has(`${one.kind} ${one.subject}`) || canBeCalled(situation, one);
  return [...done, ...raised.filter(isOver)];
}

/** Lists alarms about actions that can be carried out by now, or whose alarm is deleted. */
async function listDoneActions(
  transaction: TenantTransaction,
  directory: CallDirectory,
  raised: readonly RaisedSystemAlarm[],
): Promise<RaisedSystemAlarm[]> {
  const done: RaisedSystemAlarm[] = [];
  for (const one of raised.filter(({ kind }) => kind === actionAlarmKind)) {
    const alarm = await findAlarm(transaction, one.subject);
    if (!alarm || canBeDone(directory, alarm.definition)) done.push(one);
  }
  return done;
}

/** Whether somebody of the call group, or the user, can be called now. */
function canBeCalled(
  { directory, routes, now }: { directory: CallDirectory; routes: Routes['routes']; now: Date },
  { kind, subject }: RaisedSystemAlarm,
): boolean {
  if (kind === 'exhausted') return false;
  const group = kind === 'group' ? directory.groups.get(subject) : undefined;
  if (kind === 'group' && !group) return false;
  const members = group
    ? { ...group, groupId: group.id, userIds: [...onDuty(group.roster, group.timeZone, now).userIds] }
    : { groupId: 0, mode: 'Sequential' as const, userIds: [subject] };
  const context = { onDuty: new Map(), rotation: new Map(), routes };
  return callablePeople({ ...members, rostered: false }, context, directory.people).cause === undefined;
}
