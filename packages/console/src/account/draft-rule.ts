import type { MediaRule } from '@tocsin/contract';

export const allDays = [1, 2, 3, 4, 5, 6, 7] as const;
export const allPriorities = [1, 2, 3, 4] as const;

/** A rule while it is edited: every member is there, and a key keeps its form when others move. */
export type DraftRule = {
  readonly key: string;
  readonly name: string;
  readonly priorities: readonly number[];
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly media: MediaRule['media'];
};

const keyed = (rule: Omit<DraftRule, 'key'>): DraftRule => ({ key: crypto.randomUUID(), ...rule });

export const draftOf = ({ name = '', priorities, days, from, to, media }: MediaRule): DraftRule =>
  keyed({ name, priorities, days: days ?? allDays, from: from ?? '00:00', to: to ?? '24:00', media });

export const newRule = (): DraftRule =>
  keyed({
    name: '',
    priorities: allPriorities,
    days: allDays,
    from: '00:00',
    to: '24:00',
    media: [{ kind: 'Voice' }],
  });

/** Nobody calls at night, but for priority 1. */
export const quietRule = (name: string): DraftRule =>
  keyed({
    name,
    priorities: allPriorities.filter((priority) => priority !== 1),
    days: allDays,
    from: '22:00',
    to: '06:00',
    media: [],
  });

/** As the interface takes it. What holds always is left out, so that a rule says only what it limits. */
export function ruleOf({ name, priorities, days, from, to, media }: DraftRule): MediaRule {
  const isWholeDay = from === '00:00' && (to === '24:00' || to === '00:00');
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    priorities: [...priorities],
    ...(days.length < allDays.length && { days: [...days] }),
    ...(!isWholeDay && { from, to }),
    media: [...media],
  };
}

/** With the member, or without it if it was there; in order. */
export const toggled = (members: readonly number[], member: number): readonly number[] =>
  members.includes(member)
    ? members.filter((one) => one !== member)
    : [...members, member].toSorted((a, b) => a - b);
