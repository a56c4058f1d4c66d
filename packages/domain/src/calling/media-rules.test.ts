import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { person } from '../testing/call-plans.ts';
import { mediaRules, quietRule, rule, rulesOf } from '../testing/media-rules.ts';
import { zones } from '../testing/zones.ts';
import type { MediaRule, Medium, Person } from './call-plan.ts';
import { applyMediaRules, isAlwaysQuiet } from './media-rules.ts';

const desk: Medium = { kind: 'Voice', address: 'desk' };
const cell: Medium = { kind: 'Voice', address: 'cell' };
const text: Medium = { kind: 'Sms', address: 'cell' };
const mail: Medium = { kind: 'Email', address: 'ann' };

const ann = (...rules: MediaRule[]): Person => ({
  ...person(1, [desk, cell, text, mail]),
  mediaRules: rulesOf(...rules),
});
const night = Date.parse('2026-01-14T23:00:00+01:00');
const noon = Date.parse('2026-01-14T12:00:00+01:00');
const orderOf = (who: Person, priority: number, at = noon) =>
  applyMediaRules(who, priority, at).order.map(({ medium }) => `${medium.kind} ${medium.address}`);

const byText = rule({ priorities: [3], media: [{ kind: 'Sms' }] });
const byMail = rule({ priorities: [3, 4], media: [{ kind: 'Email' }] });

describe('the order of the media', () => {
  test('is that of the user without rules, and without a rule that matches', () => {
    const own = ['Voice desk', 'Voice cell', 'Sms cell', 'Email ann'];
    expect(orderOf(person(1, [desk, cell, text, mail]), 3)).toEqual(own);
    expect(orderOf(ann(), 3)).toEqual(own);
    expect(orderOf(ann(byText), 2)).toEqual(own);
    expect(orderOf(ann(rule({ ...byText, startMinute: 0, endMinute: 360 })), 3)).toEqual(own);
  });

  test('is that of the first rule that matches', () => {
    expect(orderOf(ann(byText, byMail), 3)).toEqual(['Sms cell']);
    expect(orderOf(ann(byText, byMail), 4)).toEqual(['Email ann']);
    expect(orderOf(ann(byMail, byText), 3)).toEqual(['Email ann']);
  });

  test('has all addresses of a kind, or the one that is named', () => {
    expect(orderOf(ann(rule({ priorities: [3], media: [{ kind: 'Voice' }] })), 3)).toEqual([
      'Voice desk',
      'Voice cell',
    ]);
    const named = rule({ priorities: [3], media: [{ kind: 'Voice', address: 'cell' }, { kind: 'Sms' }] });
    expect(orderOf(ann(named), 3)).toEqual(['Voice cell', 'Sms cell']);
  });

  test('leaves out media that the user no longer has, and keeps the others as a last resort', () => {
    const gone = rule({ priorities: [3], media: [{ kind: 'Voice', address: 'old' }, { kind: 'Pager' }] });
    const { order, lastResort } = applyMediaRules(ann(gone), 3, noon);
    expect(order).toEqual([]);
    expect(lastResort).toEqual([desk, cell, text, mail]);
  });

  test('goes on with all other media for priority 1', () => {
    const urgent = rule({ priorities: [1], media: [{ kind: 'Sms' }, { kind: 'Voice', address: 'cell' }] });
    expect(orderOf(ann(urgent), 1)).toEqual(['Sms cell', 'Voice cell', 'Voice desk', 'Email ann']);
  });

  test('has the waits of the rule, before the first of several addresses', () => {
    const waits = rule({
      priorities: [3],
      media: [{ kind: 'Sms' }, { kind: 'Voice', afterSeconds: 30 }, { kind: 'Sms', afterSeconds: 0 }],
    });
    expect(applyMediaRules(ann(waits), 3, noon).order.map(({ afterSeconds }) => afterSeconds)).toEqual([
      undefined,
      30,
      undefined,
      0,
    ]);
  });
});

describe('quiet hours', () => {
  const until = (who: Person, priority: number, at: number) => {
    const { quietUntilMs } = applyMediaRules(who, priority, at);
    return quietUntilMs === undefined ? undefined : new Date(quietUntilMs).toISOString();
  };

  test('last until the end of the window', () => {
    expect(until(ann(quietRule([4])), 4, night)).toBe('2026-01-15T05:00:00.000Z');
    expect(until(ann(quietRule([4])), 4, noon)).toBeUndefined();
    expect(until(ann(quietRule([4])), 3, night)).toBeUndefined();
  });

  test('last over adjoining windows', () => {
    const early = quietRule([4], { startMinute: 360, endMinute: 480 });
    expect(until(ann(quietRule([4]), early), 4, night)).toBe('2026-01-15T07:00:00.000Z');
  });

  test('end where an earlier rule calls the person', () => {
    const first = rule({ priorities: [4], startMinute: 300, endMinute: 330, media: [{ kind: 'Sms' }] });
    expect(until(ann(first, quietRule([4])), 4, night)).toBe('2026-01-15T04:00:00.000Z');
  });

  test.for([
    ['short', '2026-03-28T23:00:00+01:00', '2026-03-29T04:00:00.000Z'],
    ['long', '2026-10-24T23:00:00+02:00', '2026-10-25T05:00:00.000Z'],
  ])('end at six by the clock in the %s night of a clock change', ([, from = '', end]) => {
    expect(until(ann(quietRule([4])), 4, Date.parse(from))).toBe(end);
  });

  test('never apply to priority 1, even if such a rule was stored', () => {
    const stored = ann(quietRule([1, 2]), rule({ priorities: [1], media: [{ kind: 'Sms' }] }));
    expect(until(stored, 1, night)).toBeUndefined();
    expect(orderOf(stored, 1, night)[0]).toBe('Sms cell');
    expect(until(stored, 2, night)).toBe('2026-01-15T05:00:00.000Z');
  });

  test('that never end are ignored', () => {
    const always = [quietRule([4], { startMinute: 0, endMinute: 1_440 })];
    expect(isAlwaysQuiet(always, 4)).toBe(true);
    expect(isAlwaysQuiet(always, 3)).toBe(false);
    expect(until(ann(...always), 4, night)).toBeUndefined();
    expect(orderOf(ann(...always), 4, night)).toHaveLength(4);
    const weekdays = [quietRule([4], { startMinute: 0, endMinute: 1_440, days: [1, 2, 3, 4, 5] })];
    expect(isAlwaysQuiet(weekdays, 4)).toBe(false);
    expect(until(ann(...weekdays), 4, night)).toBe('2026-01-16T23:00:00.000Z');
  });

  test('in a zone that does not exist are ignored', () => {
    const lost = { ...ann(), mediaRules: { timeZone: 'Europe/Atlantis', rules: [quietRule([4])] } };
    expect(until(lost, 4, night)).toBeUndefined();
  });
});

const people = fc
  .record({ rules: mediaRules, timeZone: fc.constantFrom(...zones) })
  .map((given): Person => Object.assign(person(1, [desk, cell, text, mail]), { mediaRules: given }));
const times = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2028, 0) });
const priorities = fc.integer({ min: 0, max: 4 });
const keys = (media: readonly Medium[]) => new Set(media.map(({ kind, address }) => `${kind} ${address}`));

test('priority 1 is never quiet, and every medium is tried in the end', () => {
  fc.assert(
    fc.property(people, times, fc.constantFrom(0, 1), (who, at, priority) => {
      const { quietUntilMs, order, lastResort } = applyMediaRules(who, priority, at);
      expect(quietUntilMs).toBeUndefined();
      expect(lastResort).toEqual([]);
      expect(keys(order.map(({ medium }) => medium))).toEqual(keys(who.media));
    }),
    { numRuns: 500 },
  );
});

test('somebody who is not quiet has every medium, in the order of a rule or as a last resort, and no other', () => {
  fc.assert(
    fc.property(people, times, priorities, (who, at, priority) => {
      const { quietUntilMs, order, lastResort } = applyMediaRules(who, priority, at);
      if (quietUntilMs !== undefined) return;
      expect(keys([...order.map(({ medium }) => medium), ...lastResort])).toEqual(keys(who.media));
    }),
    { numRuns: 500 },
  );
});

test('somebody who is quiet is quiet until the end of the quiet hours, and not then', () => {
  fc.assert(
    fc.property(people, times, priorities, (who, at, priority) => {
      const { quietUntilMs } = applyMediaRules(who, priority, at);
      if (quietUntilMs === undefined) return;
      expect(quietUntilMs).toBeGreaterThan(at);
      const between = at + Math.floor((quietUntilMs - at) / 2);
      for (const time of [between, quietUntilMs - 1])
        expect(applyMediaRules(who, priority, time).quietUntilMs).toBe(quietUntilMs);
      expect(applyMediaRules(who, priority, quietUntilMs).quietUntilMs).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});
