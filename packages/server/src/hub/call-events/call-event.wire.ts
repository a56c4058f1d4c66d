import type { CallChange, Sound } from '@tocsin/contract';
import type { EscalationRow } from '../../dispatch/views/call-progress.store.ts';
import { toCallInProgress } from '../../dispatch/views/call-progress.wire.ts';
import type { CallBody } from '../../dispatch/views/timeline.store.ts';
import { toTimelineCall } from '../../dispatch/views/timeline.wire.ts';
import type { CallEvent } from '../subscriptions/call-event.ts';

/** `kind` is the outcome of an attempt, or `closed`. */
export function toCallChange(
  kind: string,
  escalation: EscalationRow,
  attempt: CallBody | undefined,
): CallChange {
  return {
    kind: (kind === 'noAnswer' ? 'no-answer' : kind) as CallChange['kind'],
    call: toCallInProgress(escalation),
    ...(attempt && { attempt: toTimelineCall(attempt, escalation.timeZone) }),
  };
}

/** Each callback has exactly one argument: .NET clients drop calls with any other number. */
export function onCallChanged(change: CallChange): CallEvent['call'] {
  return { target: 'onCallChanged', argumentsJson: JSON.stringify([change]) };
}

export function onPlaySound({
  alarmId,
  stationId,
  occasion,
  name,
  scriptId,
  flags,
}: Sound): CallEvent['call'] {
  const sound: Sound = { alarmId, stationId, occasion, name, scriptId, flags };
  return { target: 'onPlaySound', argumentsJson: JSON.stringify([sound]) };
}
