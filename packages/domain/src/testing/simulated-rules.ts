import type { CallPlan, MediaRule, Person, RuleMedium } from '../calling/call-plan.ts';
import type { Random } from './simulation-random.ts';

const days = [1, 2, 3, 4, 5, 6, 7];
const kinds = ['Voice', 'Sms', 'Email', 'Pager'] as const;
/** The night starts at 20:00 UTC. */
const nightMinute = 20 * 60;
const maxQuietMinutes = 5;

/** The same people, some with rules about their media. Rules that would silence urgent alarms are among them. */
export function addRules(random: Random, people: readonly Person[]): Person[] {
  return people.map((person) => {
    const rules = [
      ...(random.chance(0.3) ? [makeQuietRule(random)] : []),
      ...(random.chance(0.3) ? [makeOrderRule(random)] : []),
    ];
    return rules.length === 0 ? person : { ...person, mediaRules: { timeZone: 'UTC', rules } };
  });
}

function makeQuietRule(random: Random): MediaRule {
  const startMinute = nightMinute + random.between(-1, 4);
  const endMinute = startMinute + random.between(1, maxQuietMinutes);
  return { priorities: random.pick([[3], [2, 3], [1, 2, 3]]), days, startMinute, endMinute, media: [] };
}

function makeOrderRule(random: Random): MediaRule {
  const media = Array.from(
    { length: random.between(1, 4) },
    (): RuleMedium => ({
      kind: random.pick(kinds),
      ...(random.chance(0.5) && { afterSeconds: random.pick([1, 5, 30]) }),
    }),
  );
  return { priorities: random.pick([[1], [2, 3], [1, 2, 3]]), days, startMinute: 0, endMinute: 1_440, media };
}

type Interval = { fromMs: number; toMs: number };

/** When the person must not be called for this priority. Knows the simulated rules, not those under test. */
export function quietTimes({ mediaRules }: Person, priority: number, startMs: number): Interval[] {
  if (priority === 1) return [];
  return (mediaRules?.rules ?? []).flatMap(({ priorities, media, startMinute, endMinute }) => {
    if (media.length > 0 || !priorities.includes(priority)) return [];
    const at = (minute: number) => startMs + (minute - nightMinute) * 60_000;
    return [{ fromMs: at(startMinute), toMs: at(endMinute) }];
  });
}

export function isQuietAt(times: readonly Interval[], atMs: number): boolean {
  return times.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
}

/** When the last person of the plan can be called. */
export function lastQuietEndMs({ people, priority }: CallPlan, startMs: number): number {
  return Math.max(
    0,
    ...people.flatMap((person) => quietTimes(person, priority, startMs).map(({ toMs }) => toMs)),
  );
}

/** The kinds of media that a person is called by, if all of them work. */
export function usedKinds({ media, mediaRules }: Person, priority: number): string[] {
  const own = media.map(({ kind }) => kind);
  const rule = mediaRules?.rules.find((one) => one.media.length > 0 && one.priorities.includes(priority));
  if (!rule || priority === 1) return own;
  const named = own.filter((kind) => rule.media.some((medium) => medium.kind === kind));
  return named.length > 0 ? named : own;
}
