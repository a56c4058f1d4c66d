import type { CallInProgress } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import { maskAddress } from '../calls/call.wire.ts';
import type { DutyRow } from './call-progress.store.ts';

export function toCallInProgress({ timeZone, ...duty }: DutyRow): CallInProgress {
  const { closedAt, closedReason } = duty;
  return {
    id: duty.id,
    occasion: duty.occasion,
    alarmId: duty.tagId ?? 0,
    callId: duty.callId ?? 0,
    stationId: duty.stationId ?? 0,
    priority: duty.priority,
    message: duty.message,
    startTime: formatInZone(timeZone, duty.openedAt),
    ...(closedAt === null
      ? { nextTime: formatInZone(timeZone, duty.dueAt) }
      : { closedTime: formatInZone(timeZone, closedAt), closedReason: closedReason ?? '' }),
    attempts: duty.attempts.map(({ userName, address, startedAt, callGroupId, ...attempt }) => ({
      ...attempt,
      callGroupId: callGroupId ?? 0,
      user: userName,
      address: maskAddress(address),
      startTime: formatInZone(timeZone, startedAt),
    })),
  };
}
