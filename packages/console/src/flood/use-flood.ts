import type { AlarmContext, AlarmHistory } from '@tocsin/contract';
import { useMemo } from 'react';
import { type AlarmRow, shownPriority } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { areaOf } from '../alarms/area-of.ts';
import { useContextsOf, useOccurrences } from '../services/queries.ts';
import { floodSince } from './flood-rule.ts';
import { type FloodEvent, inOrder } from './lanes.ts';

const shownMs = 3_600_000;

export type Flood = {
  /** When the flood began; undefined if alarms do not come that fast. */
  readonly since: number | undefined;
  /** The raises since then, or of the last hour, in order of arrival. */
  readonly events: readonly FloodEvent[];
};

const unknown = { key: '', name: '…' };

function currentEvent({ alarm, raisedAt, priority, state, context }: AlarmRow): FloodEvent {
  const area = context ? areaOf(context) : unknown;
  const shown = state === 'rtn' ? 'rtn' : 'ack';
  return { id: alarm.id, at: raisedAt, priority, state: shown, message: alarm.message || alarm.path, area };
}

function pastEvent(entry: AlarmHistory, context: AlarmContext | undefined): FloodEvent {
  return {
    id: entry.tagId,
    at: Date.parse(entry.alarmTime),
    priority: shownPriority(entry.priority),
    state: 'over',
    message: entry.message || entry.tagName,
    area: context ? areaOf(context) : unknown,
  };
}

/**
 * The alarms of the flood. Those that are over count as well: the first one is often gone by itself when somebody asks for
 * the cause.
 */
export function useFlood(now: number): Flood {
  const { rows } = useAlarms();
  const from = (Math.floor(now / 600_000) - 6) * 600_000;
  const occurrences = useOccurrences(from);
  const past = useMemo(
    () => (occurrences ?? []).filter(({ ackTime, resetTime }) => ackTime && resetTime),
    [occurrences],
  );
  const contexts = useContextsOf([...new Set(past.map(({ tagId }) => tagId))].toSorted((a, b) => a - b));
  const minute = Math.floor(now / 60_000);
  return useMemo(() => {
    const events = inOrder([
      ...rows.filter(({ state }) => state !== 'mask' && state !== 'over').map(currentEvent),
      ...past.map((entry) => pastEvent(entry, contexts.get(entry.tagId))),
    ]);
    const until = (minute + 1) * 60_000;
    const since = floodSince(
      events.map(({ at }) => at),
      until,
    );
    const first = since ?? until - shownMs;
    return { since, events: events.filter(({ at }) => at >= first) };
  }, [rows, past, contexts, minute]);
}
