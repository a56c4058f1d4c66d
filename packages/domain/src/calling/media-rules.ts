import { isInWindow, nextWindowChange } from '../roster/daily-window.ts';
import { isZone } from '../time/zone.ts';
import type { MediaRule, MediaRules, Medium, Person } from './call-plan.ts';
import { mostUrgentPriority } from './escalation-order.ts';

/** A medium in the order in which a person is tried. It may occur several times. */
export type OrderedMedium = {
  medium: Medium;
  /** Wait after the previous medium; by default tries are spread over the time to acknowledge. */
  afterSeconds?: number;
};

/** A person at one moment, for alarms of one priority. */
export type CalledPerson = Person & {
  order: readonly OrderedMedium[];
  /** Tried only while no medium of `order` works. */
  lastResort: readonly Medium[];
  /** When the person can be called again, in epoch milliseconds; absent unless they are quiet. */
  quietUntilMs?: number;
};

/** Quiet hours must end within this time: two weeks, because clocks may skip the only time of a week. */
const maxQuietMs = 15 * 86_400_000;

/**
 * Applies the first rule that matches the priority and the time. Without one, the media are tried in the order of the
 * user. Alarms of the highest priority ignore quiet rules, and use all other media after those of the rule. Quiet hours
 * that never end are ignored, because nobody would ever be called.
 */
export function applyMediaRules(person: Person, priority: number, nowMs: number): CalledPerson {
  const { mediaRules } = person;
  const rule = mediaRules && isZone(mediaRules.timeZone) ? ruleAt(mediaRules, priority, nowMs) : undefined;
  if (!mediaRules || !rule) return inOwnOrder(person);
  if (rule.media.length > 0) return inOrderOf(rule, person, priority);
  const quietUntilMs = quietEnd(mediaRules, priority, nowMs);
  if (quietUntilMs === undefined) return inOwnOrder(person);
  return { ...person, order: [], lastResort: [], quietUntilMs };
}

/** Whether the rules would keep a person quiet for this priority all week. */
export function isAlwaysQuiet(rules: readonly MediaRule[], priority: number): boolean {
  const anyZone = { timeZone: 'UTC', rules };
  return isQuiet(ruleAt(anyZone, priority, 0)) && quietEnd(anyZone, priority, 0) === undefined;
}

export function canBeQuiet(priority: number): boolean {
  return priority > mostUrgentPriority;
}

function inOwnOrder(person: Person): CalledPerson {
  return { ...person, order: person.media.map((medium) => ({ medium })), lastResort: [] };
}

function inOrderOf(rule: MediaRule, person: Person, priority: number): CalledPerson {
  const order = rule.media.flatMap(({ kind, address, afterSeconds }) =>
    person.media
      .filter((medium) => medium.kind === kind && (address === undefined || medium.address === address))
      .map(
        (medium, index): OrderedMedium =>
          // The wait is before the first address of several.
          index === 0 && afterSeconds !== undefined ? { medium, afterSeconds } : { medium },
      ),
  );
  const others = person.media.filter((medium) => !order.some((named) => named.medium === medium));
  if (canBeQuiet(priority)) return { ...person, order, lastResort: others };
  return { ...person, order: [...order, ...others.map((medium) => ({ medium }))], lastResort: [] };
}

function ruleAt({ timeZone, rules }: MediaRules, priority: number, time: number): MediaRule | undefined {
  return rules.find((rule) => matches(rule, priority) && isInWindow(rule, timeZone, time));
}

function matches({ priorities, media }: MediaRule, priority: number): boolean {
  return priorities.includes(priority) && (media.length > 0 || canBeQuiet(priority));
}

function isQuiet(rule: MediaRule | undefined): boolean {
  return rule?.media.length === 0;
}

/** The first time at which no quiet rule applies; undefined if there is none. */
function quietEnd({ timeZone, rules }: MediaRules, priority: number, nowMs: number): number | undefined {
  const matching = { timeZone, rules: rules.filter((rule) => matches(rule, priority)) };
  let time = nowMs;
  while (time <= nowMs + maxQuietMs) {
    time = nextWindowChange(matching.rules, timeZone, time);
    if (!isQuiet(ruleAt(matching, priority, time))) return time;
  }
  return undefined;
}
