import type { MediaRule, MediaRules, MediaRulesBody } from '@tocsin/contract';
import { canBeQuiet, isAlwaysQuiet, isZone, type RuleMedium } from '@tocsin/domain';
import { invalid } from '../../common/problem.ts';
import { keptAddress } from '../medium.wire.ts';
import type { MediaRuleRecord, MediaRulesRecord } from './media-rules.store.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const dayMinutes = 1_440;

/** The rules of a request, or a problem that names the wrong one. */
export function mediaRulesRecord({ timeZone = '', rules }: MediaRulesBody): MediaRulesRecord {
  if (timeZone !== '' && !isZone(timeZone))
    throw invalid('/timeZone', `${timeZone} is no time zone: write one such as Europe/Paris`);
  const records = rules.map((rule, index) => ruleRecord(rule, `/rules/${index}`));
  const silenced = quietPriorities(records).find((priority) => isAlwaysQuiet(records, priority));
  if (silenced !== undefined)
    throw invalid(
      '/rules',
      `leave no time in the week to call the user for priority ${silenced}: end the quiet hours, or take the user out of the call groups`,
    );
  return { timeZone: timeZone === '' ? null : timeZone, rules: records };
}

export function mediaRulesToWire(
  { timeZone, rules }: MediaRulesRecord,
  { stationTimeZone }: { stationTimeZone: string },
): MediaRules {
  return {
    timeZone: timeZone ?? '',
    usedTimeZone: timeZone ?? stationTimeZone,
    rules: rules.map(({ startMinute, endMinute, ...rule }) => ({
      ...rule,
      from: clockTime(startMinute),
      to: clockTime(endMinute),
    })),
  };
}

function ruleRecord(rule: MediaRule, pointer: string): MediaRuleRecord {
  const { name = '', priorities, days = everyDay, from, to, media } = rule;
  const urgent = priorities.find((priority) => !canBeQuiet(priority));
  if (media.length === 0 && urgent !== undefined)
    throw invalid(
      `${pointer}/media`,
      `is empty, which means quiet, and quiet hours never apply to priority ${urgent}: name media, or leave ${urgent} out of the priorities`,
    );
  return {
    name,
    priorities: [...new Set(priorities)],
    days: [...new Set(days)].toSorted((one, other) => one - other),
    startMinute: from === undefined ? 0 : minuteOfDay(from),
    endMinute: to === undefined ? dayMinutes : minuteOfDay(to),
    media: media.map((medium, index) => ruleMedium(medium, { pointer: `${pointer}/media/${index}`, index })),
  };
}

function ruleMedium(
  { kind, address, afterSeconds }: MediaRule['media'][number],
  { pointer, index }: { pointer: string; index: number },
): RuleMedium {
  if (index === 0 && (afterSeconds ?? 0) > 0)
    throw invalid(
      `${pointer}/afterSeconds`,
      'must be 0 or absent: the first medium of a rule is tried at once',
    );
  return {
    kind,
    ...(address !== undefined && { address: keptAddress({ kind, address }, `${pointer}/address`) }),
    ...(afterSeconds !== undefined && index > 0 && { afterSeconds }),
  };
}

function quietPriorities(rules: readonly MediaRuleRecord[]): number[] {
  return rules.flatMap(({ media, priorities }) => (media.length === 0 ? priorities : []));
}

function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function clockTime(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
