import type { RosterOverride } from '@tocsin/contract';
import { useState } from 'react';
import { fromLocal, toLocal } from '../../time/local-time.ts';
import { useWords } from '../../words/use-words.ts';
import { useNames } from '../names.ts';
import { dutyAt } from '../planning/shifts.ts';
import { useRoster } from '../roster-context.ts';
import type { Period } from './consequence.tsx';

type Form = {
  /** `user 7` or `team 2`. */
  readonly who: string;
  /** `0`: everybody. */
  readonly replaces: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
};

/** The fields of somebody who stands in, and the override that they make; undefined while it is not complete. */
export function useStandIn(shift: Period) {
  const { roster, zone, self } = useRoster();
  const duty = dutyAt(roster, zone, shift.from);
  const replaceable = (duty?.userIds ?? []).filter((id) => id !== self);
  const [form, setForm] = useState<Form>({
    who: self === undefined ? '' : `user ${self}`,
    replaces: String(replaceable[0] ?? 0),
    from: toLocal(shift.from, zone),
    to: toLocal(shift.to, zone),
    reason: '',
  });
  // The fields have no seconds, and an hour that is shown twice means its first time: what was not changed stays exact.
  const exact = (text: string, given: number) =>
    text === toLocal(given, zone) ? given : fromLocal(text, zone);
  return {
    form,
    replaceable,
    change: (part: Partial<Form>) => setForm((before) => ({ ...before, ...part })),
    override: overrideOf(form, exact(form.from, shift.from), exact(form.to, shift.to)),
  };
}

const iso = (ms: number) => new Date(ms).toISOString();

function overrideOf(
  { who, replaces, reason }: Form,
  from: number | undefined,
  to: number | undefined,
): RosterOverride | undefined {
  const [kind, id] = who.split(' ');
  if (id === undefined || from === undefined || to === undefined || from >= to) return undefined;
  return {
    ...(kind === 'team' ? { teamId: Number(id) } : { userId: Number(id) }),
    ...(replaces !== '0' && { replacesUserId: Number(replaces) }),
    from: iso(from),
    to: iso(to),
    ...(reason.trim() !== '' && { reason: reason.trim() }),
  };
}

/** Who may stand in: operators themselves, planners everybody. */
export function useStandIns(): readonly (readonly [string, string])[] {
  const words = useWords().roster;
  const names = useNames();
  const { planner, people, mayPlan, self } = useRoster();
  const own = self === undefined ? [] : [[`user ${self}`, words.myself(names.person(self))] as const];
  if (!mayPlan) return own;
  const others = [...people.values()].filter(({ id, enabled }) => enabled && id !== self);
  return [
    ...own,
    ...planner.draft.teams.map((team) => [`team ${team.id}`, team.name] as const),
    ...others.map((user) => [`user ${user.id}`, user.name] as const),
  ];
}
