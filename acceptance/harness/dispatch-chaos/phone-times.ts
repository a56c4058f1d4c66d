import type { EscalationStory, Interval } from './escalation-stories.ts';
import { attemptOf, type Evidence } from './evidence.ts';

type CallTime = Interval & { call: string };

/** When each telephone had a call, by the log of the phone companies. */
export type PhoneTimes = ReadonlyMap<string, readonly CallTime[]>;

const ends: readonly string[] = ['ended', 'hung-up'];

export function phoneTimesOf({ company }: Pick<Evidence, 'company'>): PhoneTimes {
  const calls = Map.groupBy(
    company.filter(({ folder }) => folder === 'calls'),
    attemptOf,
  );
  const times = [...calls].flatMap(([call, lines]) => {
    const begun = lines.find(({ event }) => event === 'accepted');
    const end = lines.find(({ event }) => ends.includes(event));
    if (!begun) return [];
    return [{ number: begun.to, call, from: Date.parse(begun.at), to: end ? Date.parse(end.at) : Infinity }];
  });
  return Map.groupBy(times, ({ number }) => number);
}

/** Whether a telephone of the escalation had a call for another alarm in this time: then the alarm waits for it. */
export function waitedForPhone(
  { policy }: Pick<Evidence, 'policy'>,
  { escalation, attempts, stages }: EscalationStory,
  { times, from, to }: Interval & { times: PhoneTimes },
): boolean {
  const { tenantId } = escalation;
  const own = new Set(attempts.map(({ id, sentAs }) => `${tenantId} ${sentAs ?? id}`));
  const userIds = stages.flatMap(({ shifts }) => shifts.flatMap((shift) => shift.userIds));
  return userIds.some((userId) =>
    (times.get(policy.numbers.get(`${tenantId} ${userId}`) ?? '') ?? []).some(
      (call) => !own.has(call.call) && call.from < to && call.to > from,
    ),
  );
}
