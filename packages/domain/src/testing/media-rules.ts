import * as fc from 'fast-check';
import type { MediaRule, MediaRules } from '../calling/call-plan.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** A rule for the whole week. */
export function rule(members: Partial<MediaRule>): MediaRule {
  return { priorities: [1], days: everyDay, startMinute: 0, endMinute: 1_440, media: [], ...members };
}

/** Quiet from 22:00 to 06:00. */
export function quietRule(priorities: number[], members: Partial<MediaRule> = {}): MediaRule {
  return rule({ priorities, startMinute: 22 * 60, endMinute: 6 * 60, ...members });
}

export function rulesOf(...rules: MediaRule[]): MediaRules {
  return { timeZone: 'Europe/Paris', rules };
}

const minutes = fc.integer({ min: 0, max: 1_439 });
const ruleMedia = fc.array(
  fc.record(
    {
      kind: fc.constantFrom('Voice' as const, 'Sms' as const, 'Email' as const, 'Pager' as const),
      address: fc.constantFrom('a', 'b', 'cell', 'ann'),
      afterSeconds: fc.constantFrom(1, 10, 30),
    },
    { requiredKeys: ['kind'] },
  ),
  { maxLength: 3 },
);

/** Rules of all shapes, also such that the interface would refuse: quiet for priority 1, or all week. */
export const mediaRules: fc.Arbitrary<MediaRule[]> = fc.array(
  fc.record({
    priorities: fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }),
    days: fc.oneof(fc.constant(everyDay), fc.subarray(everyDay, { minLength: 1 })),
    startMinute: minutes,
    endMinute: fc.oneof(minutes, fc.constant(1_440)),
    media: ruleMedia,
  }),
  { maxLength: 4 },
);
