import { type AlarmNews, type CallPlan, formatInZone } from '@tocsin/domain';
import type { AlarmOccasion, CallDirectory } from '../../escalations/call-directory.ts';
import { type PlannedOccasion, planOccasion } from '../../escalations/plan-occasion.ts';
import type { AlarmRecord } from './alarm-record.ts';

/** The plan of an occasion, if its actions call somebody, and the raise that people were called for. */
type Told = { occasion: AlarmOccasion; plan: CallPlan | undefined; raise: () => PlannedOccasion };

/**
 * Adds to the plan of an acknowledgment or a reset that everybody who was called is told, if the tenant wants it. Without
 * calling actions the plan names nobody: who was called is read when it is carried out.
 */
export function withNews(
  directory: CallDirectory,
  record: AlarmRecord,
  { occasion, plan, raise }: Told,
): CallPlan | undefined {
  const { tellsCalled } = directory;
  if (!tellsCalled || occasion === 'raised') return plan;
  if (plan) return { ...plan, tellsCalled };
  const raised = raise();
  // Nobody is called for most alarms.
  if (!planOccasion(directory, raised)) return undefined;
  const { text, shortText } = raised.message;
  return {
    format: 1,
    occasion,
    until: 'reached',
    priority: record.definition.priority,
    delaySeconds: 0,
    outlivesReset: true,
    tellsCalled,
    targets: [],
    people: [],
    message: { text, shortText, number: 0, audio: '', file: '', news: newsOf(record, occasion) },
  };
}

function newsOf({ status, timeZone }: AlarmRecord, occasion: 'reset' | 'acknowledged'): AlarmNews {
  if (occasion === 'acknowledged') return { kind: 'taken', by: status.ackUser };
  return {
    kind: 'over',
    time: formatInZone(timeZone, status.lastChange).slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm'.length),
  };
}
