import type { CallPreviewRequest } from '@tocsin/contract';
import { requireAlarm } from '../../alarms/alarm.routes.ts';
import { callableOccasion } from '../../alarms/decide/alarm-escalations.ts';
import { whyNotCallable } from '../../calls/call-refusal.ts';
import { findCalledGroups, findCallees, listServedMedia } from '../../calls/callee.store.ts';
import { invalid, notFound } from '../../common/problem.ts';
import type { PlannedOccasion } from '../../escalations/plan-occasion.ts';
import { maySeeStation, type Principal } from '../../http/principal.ts';
import { zoneOfStation } from '../../plant/station.store.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** The occasion to preview, the time zone of its times, and the reason if the named user cannot be called. */
export type PreviewSubject = { occasion: PlannedOccasion; timeZone: string; reason?: string | undefined };

/** Finds the occasion to preview, as if it were raised at that instant. */
export async function previewSubject(
  transaction: TenantTransaction,
  principal: Principal,
  { alarmId, callGroupId, userId, actions = [] }: CallPreviewRequest,
): Promise<PreviewSubject> {
  const named = [alarmId, callGroupId, userId, actions.length].filter(Boolean);
  if (named.length !== 1) throw invalid('/', 'must name one alarmId, callGroupId, userId or actions');
  if (alarmId) {
    const alarm = await requireAlarm(transaction, alarmId, principal);
    return { occasion: callableOccasion(alarm, 'raised'), timeZone: alarm.timeZone };
  }
  if (callGroupId) return groupSubject(transaction, principal, callGroupId);
  if (userId) return userSubject(transaction, principal, userId);
  return actionsSubject(transaction, principal, actions);
}

/** All calls as one occasion, in the time zone of the first. Each of their targets must be visible to the caller. */
async function actionsSubject(
  transaction: TenantTransaction,
  principal: Principal,
  actions: NonNullable<CallPreviewRequest['actions']>,
): Promise<PreviewSubject> {
  const subjects: PreviewSubject[] = [];
  for (const { type, id } of actions)
    subjects.push(
      await (type === 'CallGroup'
        ? groupSubject(transaction, principal, id)
        : userSubject(transaction, principal, id)),
    );
  const timeZone = subjects[0]?.timeZone ?? 'UTC';
  const occasion = occasionFor(...subjects.flatMap((subject) => subject.occasion.actions));
  return { occasion, timeZone };
}

async function groupSubject(
  transaction: TenantTransaction,
  { stationIds }: Principal,
  id: number,
): Promise<PreviewSubject> {
  const group = (await findCalledGroups(transaction, [id], stationIds)).get(id);
  if (!group) throw notFound('call group', id);
  const timeZone = await zoneOfStation(transaction, group.stationId);
  return { occasion: occasionFor({ type: 'CallGroup', id }), timeZone };
}

async function userSubject(
  transaction: TenantTransaction,
  principal: Principal,
  id: number,
): Promise<PreviewSubject> {
  const callee = (await findCallees(transaction, [id])).get(id);
  const { stationIds = [] } = callee ?? {};
  const isSeen = stationIds.length === 0 || stationIds.some((station) => maySeeStation(principal, station));
  if (!callee || !isSeen) throw notFound('user', id);
  const timeZone = await zoneOfStation(transaction, stationIds[0]);
  const reason = whyNotCallable(id, callee, await listServedMedia(transaction));
  return { occasion: occasionFor({ type: 'CallUser', id }), timeZone, reason };
}

function occasionFor(...actions: PlannedOccasion['actions']): PlannedOccasion {
  return {
    occasion: 'raised',
    actions,
    tagGroupId: null,
    callsByItself: true,
    priority: 1,
    delaySeconds: 0,
    transitory: false,
    message: { text: '', shortText: '', number: 0, audio: '', file: '' },
  };
}
