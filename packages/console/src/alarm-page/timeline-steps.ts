import type { TimelineEntry } from '@tocsin/contract';

type Call = NonNullable<TimelineEntry['call']>;

/** A line of the timeline. A person's line stands above the attempts to reach that person. */
export type TimelineStep = { readonly key: string; readonly at: number } & (
  | { readonly kind: 'event'; readonly entry: TimelineEntry }
  | { readonly kind: 'person'; readonly user: string; readonly callGroupId: number; readonly number: number }
  | { readonly kind: 'attempt'; readonly call: Call; readonly isLive: boolean }
);

export const stepFilters = ['all', 'calls', 'comments'] as const;
export type StepFilter = (typeof stepFilters)[number];

const byTime = (a: TimelineEntry, b: TimelineEntry) =>
  Date.parse(a.time) - Date.parse(b.time) || a.seq - b.seq;

/** The lines of one occurrence, the oldest first. Occurrence 0 is the time before the first raise. */
export function timelineSteps(
  entries: readonly TimelineEntry[],
  occurrenceId: number,
): readonly TimelineStep[] {
  const steps: TimelineStep[] = [];
  let person = '';
  let number = 0;
  for (const entry of entries.filter((each) => each.occurrenceId === occurrenceId).toSorted(byTime)) {
    const at = Date.parse(entry.time);
    const { call } = entry;
    if (!call) {
      steps.push({
        kind: 'event',
        key: `${entry.seq} ${entry.time} ${entry.kind} ${entry.answer?.attemptId ?? ''}`,
        at,
        entry,
      });
      continue;
    }
    const called = `${call.userId} ${call.callGroupId}`;
    if (called !== person) {
      number += 1;
      const { user, callGroupId } = call;
      steps.push({ kind: 'person', key: `person ${call.attemptId}`, at, user, callGroupId, number });
    }
    person = called;
    steps.push({ kind: 'attempt', key: `attempt ${call.attemptId}`, at, call, isLive: isRunning(call) });
  }
  return steps;
}

const isRunning = ({ endTime, status }: Call) =>
  endTime === undefined && (status === 'Queued' || status === 'Calling');

export function isShown(step: TimelineStep, filter: StepFilter): boolean {
  if (filter === 'all') return true;
  if (filter === 'comments') return step.kind === 'event' && step.entry.kind === 'commented';
  return step.kind !== 'event' || step.entry.answer !== undefined;
}

/** How many lines a filter shows; for calls how many attempts. */
export function countSteps(steps: readonly TimelineStep[], filter: StepFilter): number {
  if (filter === 'calls') return steps.filter(({ kind }) => kind === 'attempt').length;
  return steps.filter((step) => isShown(step, filter)).length;
}
