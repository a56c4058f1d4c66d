import type { CallInProgress, TimelineEntry } from '@tocsin/contract';
import type { AlarmRow } from '../alarms/alarm-row.ts';
import { useCalls } from '../alarms/alarms-context.tsx';
import { useNow } from '../time/use-now.ts';
import { usePreview } from './alarm-queries.ts';
import { followingCalls, type PlannedCall } from './planned-calls.ts';

const hour = 3_600;
const longest = 24 * hour;

/** Far enough for an hour from now, in whole hours, so that it is not asked for each second. */
function secondsAhead({ startTime }: CallInProgress, now: number): number {
  const passed = (now - Date.parse(startTime)) / 1_000;
  return Math.min(longest, (Math.floor(Math.max(0, passed) / hour) + 2) * hour);
}

/** The calls that follow if nobody acknowledges; none if the calling has ended. */
export function useFollowing(row: AlarmRow, entries: readonly TimelineEntry[]): readonly PlannedCall[] {
  const now = useNow();
  const running = useCalls().get(row.alarm.id);
  const call = running?.occasion === 'raised' ? running : undefined;
  const preview = usePreview(row.alarm.id, {
    at: call?.startTime,
    ...(call && { seconds: secondsAhead(call, now) }),
  });
  if (!call || !preview || row.state === 'ack' || row.state === 'mask') return [];
  const start = Date.parse(call.startTime);
  const made = entries
    .filter(({ time }) => Date.parse(time) >= start)
    .toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time))
    .flatMap((entry) => entry.call ?? []);
  const nextAt = call.nextTime === undefined ? undefined : Date.parse(call.nextTime);
  return followingCalls(preview.calls, { made, nextAt, now });
}
