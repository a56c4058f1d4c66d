import type { CallInProgress } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import { maskAddress } from '../../calls/call.wire.ts';
import type { EscalationRow } from './call-progress.store.ts';

export function toCallInProgress({ timeZone, ...escalation }: EscalationRow): CallInProgress {
  const { closedAt, closedReason } = escalation;
  return {
    id: escalation.id,
    occasion: escalation.occasion,
    alarmId: escalation.tagId ?? 0,
    callId: escalation.callId ?? 0,
    stationId: escalation.stationId ?? 0,
    priority: escalation.priority,
    message: escalation.message,
    startTime: formatInZone(timeZone, escalation.openedAt),
    ...(closedAt === null
      ? { nextTime: formatInZone(timeZone, escalation.dueAt) }
      : { closedTime: formatInZone(timeZone, closedAt), closedReason: closedReason ?? '' }),
    attempts: escalation.attempts.map(
      ({ userName, address, startedAt, callGroupId, reason, ...attempt }) => ({
        ...attempt,
        ...(reason !== '' && { reason }),
        callGroupId: callGroupId ?? 0,
        user: userName,
        address: maskAddress(address),
        startTime: formatInZone(timeZone, startedAt),
      }),
    ),
  };
}
