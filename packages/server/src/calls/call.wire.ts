import type { CallHistory } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import type { AttemptRow } from './call-history.store.ts';

const shownCharacters = 4;

export function toCallHistory({
  timeZone,
  startedAt,
  endedAt,
  acknowledgedAt,
  ...row
}: AttemptRow): CallHistory {
  return {
    id: row.id,
    callId: row.callId ?? 0,
    alarmId: row.tagId ?? 0,
    callGroupId: row.callGroupId ?? 0,
    userId: row.userId,
    user: row.userName,
    medium: row.medium,
    address: maskAddress(row.address),
    message: row.message,
    attempt: row.attempt,
    startTime: formatInZone(timeZone, startedAt),
    ...(endedAt && { endTime: formatInZone(timeZone, endedAt) }),
    status: row.status,
    reason: row.reason,
    ...(acknowledgedAt && { ackTime: formatInZone(timeZone, acknowledgedAt) }),
  };
}

/** Shows enough to recognise a known number, too little to learn one. A short address is hidden completely. */
export function maskAddress(address: string): string {
  const characters = Array.from(address);
  const hidden =
    characters.length > shownCharacters ? characters.length - shownCharacters : characters.length;
  return '*'.repeat(hidden) + characters.slice(hidden).join('');
}
