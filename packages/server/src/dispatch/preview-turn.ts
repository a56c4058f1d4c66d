import type { CallPreviewRequest } from '@tocsin/contract';
import { requireAlarm } from '../alarms/alarm.routes.ts';
import { callableTurn } from '../alarms/alarm-duties.ts';
import { whyNotCallable } from '../calls/call-refusal.ts';
import { findCalledGroups, findCallees, listServedMedia } from '../calls/callee.store.ts';
import type { AlarmTurn } from '../duties/plan-turn.ts';
import { maySeeStation, type Principal } from '../http/principal.ts';
import { zoneOfStation } from '../plant/station.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { invalid, notFound } from '../problem.ts';

/** A turn to be previewed, the time zone to tell of it in, and why the user it names cannot be called, if so. */
export type PreviewedTurn = { turn: AlarmTurn; timeZone: string; reason?: string | undefined };

/** What is to be called for, as if it were raised at that instant. */
export async function previewedTurn(
  transaction: TenantTransaction,
  principal: Principal,
  { alarmId, callGroupId, userId }: CallPreviewRequest,
): Promise<PreviewedTurn> {
  const named = [alarmId, callGroupId, userId].filter(Boolean);
  if (named.length !== 1) throw invalid('/', 'must name one alarmId, callGroupId or userId');
  if (alarmId) {
    const alarm = await requireAlarm(transaction, alarmId, principal);
    return { turn: callableTurn(alarm, 'raised'), timeZone: alarm.timeZone };
  }
  if (callGroupId) return groupTurn(transaction, principal, callGroupId);
  return userTurn(transaction, principal, userId ?? 0);
}

async function groupTurn(
  transaction: TenantTransaction,
  { stationIds }: Principal,
  id: number,
): Promise<PreviewedTurn> {
  const group = (await findCalledGroups(transaction, [id], stationIds)).get(id);
  if (!group) throw notFound('call group', id);
  const timeZone = await zoneOfStation(transaction, group.stationId);
  return { turn: turnFor({ type: 'CallGroup', id }), timeZone };
}

async function userTurn(
  transaction: TenantTransaction,
  principal: Principal,
  id: number,
): Promise<PreviewedTurn> {
  const callee = (await findCallees(transaction, [id])).get(id);
  const { stationIds = [] } = callee ?? {};
  const isSeen = stationIds.length === 0 || stationIds.some((station) => maySeeStation(principal, station));
  if (!callee || !isSeen) throw notFound('user', id);
  const timeZone = await zoneOfStation(transaction, stationIds[0]);
  const reason = whyNotCallable(id, callee, await listServedMedia(transaction));
  return { turn: turnFor({ type: 'CallUser', id }), timeZone, reason };
}

function turnFor(action: AlarmTurn['actions'][number]): AlarmTurn {
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
