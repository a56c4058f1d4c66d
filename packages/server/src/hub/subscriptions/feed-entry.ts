import type { Alarm } from '@tocsin/contract';
import type { HubInvocation } from '@tocsin/signalr';

/** A journal entry to push. The alarm stays JSON text, because it is sent unchanged to many clients. */
export type FeedEntry = {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: string;
  readonly stationId: number;
  /** Whether `onAlarm` is called for it. */
  readonly announce: boolean;
  readonly alarmJson: string;
};

const parsed = new WeakMap<FeedEntry, Alarm>();

/** The parsed alarm. Cached, because many filters ask for it. */
export function alarmOf(entry: FeedEntry): Alarm {
  const known = parsed.get(entry);
  if (known) return known;
  const alarm = JSON.parse(entry.alarmJson) as Alarm;
  parsed.set(entry, alarm);
  return alarm;
}

/** Each callback has exactly one argument: .NET clients drop calls with any other number. */
export function onAlarmCall({ alarmJson }: FeedEntry): HubInvocation {
  return { target: 'onAlarm', argumentsJson: `[${alarmJson}]` };
}

export function onAlarmChangedCall({ seq, kind, alarmJson }: FeedEntry): HubInvocation {
  const argumentsJson = `[{"seq":${seq},"kind":${JSON.stringify(kind)},"alarm":${alarmJson}}]`;
  return { target: 'onAlarmChanged', argumentsJson };
}
