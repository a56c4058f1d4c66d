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
  { alarmId, callGroupId, userId }: CallPreviewRequest,
): Promise<PreviewSubject> {
  const named = [alarmId, callGroupId, userId].filter(Boolean);
  if (named.length !== 1) throw invalid('/', 'must name one alarmId, callGroupId or userId');
  if (alarmId) {
    const alarm = await requireAlarm(transaction, alarmId, principal);
    return { occasion: callableOccasion(alarm, 'raised'), timeZone: alarm.timeZone };
  }
  if (callGroupId) return groupSubject(transaction, principal, callGroupId);
  return userSubject(transaction, principal, userId ?? 0);
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

function occasionFor(action: PlannedOccasion['actions'][number]): PlannedOccasion {
  return {
    occasion: 'raised',
    actions: [action],
    tagGroupId: null,
    callsByItself: true,
    priority: 1,
    delaySeconds: 0,
    transitory: false,
    message: { text: '', shortText: '', number: 0, audio: '', file: '' },
  };
}
