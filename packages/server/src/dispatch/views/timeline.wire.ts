import type { TimelineEntry } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import { maskAddress } from '../../calls/call.wire.ts';
import type { CallBody, TimelineRow } from './timeline.store.ts';

export function toTimelineEntry(row: TimelineRow, timeZone: string): TimelineEntry {
  const { at, seq, occurrenceId, state, actor, actorId, detail } = row;
  return {
    seq,
    time: formatInZone(timeZone, at),
    kind: row.kind as TimelineEntry['kind'],
    actor,
    ...(actorId !== null && { actorId }),
    occurrenceId,
    state,
    detail,
    ...(row.source === 'journal' &&
      row.body && { changes: row.body as NonNullable<TimelineEntry['changes']> }),
    ...(row.source === 'call' && { call: toTimelineCall(row.body as CallBody, timeZone) }),
    ...(row.source === 'answer' && { answer: row.body as NonNullable<TimelineEntry['answer']> }),
    ...(row.source === 'notice' && { notice: row.body as NonNullable<TimelineEntry['notice']> }),
    ...(row.source === 'command' && { command: row.body as NonNullable<TimelineEntry['command']> }),
  };
}

export function toTimelineCall(
  { endMs, ackMs, address, ...call }: CallBody,
  timeZone: string,
): NonNullable<TimelineEntry['call']> {
  const timeOf = (ms: number) => formatInZone(timeZone, new Date(ms));
  return {
    ...call,
    address: maskAddress(address),
    ...(endMs !== null && { endTime: timeOf(endMs) }),
    ...(ackMs !== null && { ackTime: timeOf(ackMs) }),
  };
}
