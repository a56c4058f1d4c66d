import type { CallChange, Sound } from '@tocsin/contract';
import type { DutyRow } from '../dispatch/call-progress.store.ts';
import { toCallInProgress } from '../dispatch/call-progress.wire.ts';
import type { CallBody } from '../dispatch/timeline.store.ts';
import { toTimelineCall } from '../dispatch/timeline.wire.ts';
import type { Tiding } from './tiding.ts';

/** The outcome of an attempt, or `closed`. */
export function toCallChange(kind: string, duty: DutyRow, attempt: CallBody | undefined): CallChange {
  return {
    kind: (kind === 'noAnswer' ? 'no-answer' : kind) as CallChange['kind'],
    call: toCallInProgress(duty),
    ...(attempt && { attempt: toTimelineCall(attempt, duty.timeZone) }),
  };
}

/** Each callback has exactly one argument: clients of .NET drop a call that has another number of them. */
export function onCallChanged(change: CallChange): Tiding['call'] {
  return { target: 'onCallChanged', argumentsJson: JSON.stringify([change]) };
}

export function onPlaySound({ alarmId, stationId, occasion, name, scriptId, flags }: Sound): Tiding['call'] {
  const sound: Sound = { alarmId, stationId, occasion, name, scriptId, flags };
  return { target: 'onPlaySound', argumentsJson: JSON.stringify([sound]) };
}
