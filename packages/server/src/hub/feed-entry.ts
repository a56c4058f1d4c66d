import type { Alarm } from '@tocsin/contract';
import type { HubCall } from '@tocsin/signalr';

/** A journal entry on its way to clients. The alarm stays text: it is written once and sent as it is. */
export type FeedEntry = {
  readonly seq: number;
  /** When it took place, in milliseconds. */
  readonly at: number;
  readonly kind: string;
  readonly stationId: number;
  /** Whether subscribers of `onAlarm` hear of it. */
  readonly announce: boolean;
  readonly alarmJson: string;
};

const parsed = new WeakMap<FeedEntry, Alarm>();

/** The alarm to look into; read once however many filters ask. */
export function alarmOf(entry: FeedEntry): Alarm {
  const known = parsed.get(entry);
  if (known) return known;
  const alarm = JSON.parse(entry.alarmJson) as Alarm;
  parsed.set(entry, alarm);
  return alarm;
}

/** Each callback has exactly one argument: clients of .NET drop a call that has another number of them. */
export function onAlarmCall({ alarmJson }: FeedEntry): HubCall {
  return { target: 'onAlarm', argumentsJson: `[${alarmJson}]` };
}

export function onAlarmChangedCall({ seq, kind, alarmJson }: FeedEntry): HubCall {
  const argumentsJson = `[{"seq":${seq},"kind":${JSON.stringify(kind)},"alarm":${alarmJson}}]`;
  return { target: 'onAlarmChanged', argumentsJson };
}
