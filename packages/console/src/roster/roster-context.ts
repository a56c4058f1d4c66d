import type { Leave, User } from '@tocsin/contract';
import type { Roster } from '@tocsin/domain';
import { createContext, useContext } from 'react';
import type { Planner } from './use-planner.ts';

/** What all parts of the page need. */
export type RosterPlan = {
  readonly planner: Planner;
  /** The roster as it would be with the draft. */
  readonly roster: Roster;
  readonly zone: string;
  readonly leaves: readonly Leave[];
  readonly people: ReadonlyMap<number, User>;
  /** Whether the user may change the plan of the weeks. */
  readonly mayPlan: boolean;
  /** The number of the user, if they may stand in. */
  readonly self: number | undefined;
};

const Context = createContext<RosterPlan | undefined>(undefined);
export const RosterProvider = Context.Provider;

export function useRoster(): RosterPlan {
  const plan = useContext(Context);
  if (!plan) throw new Error('There is no roster above this component');
  return plan;
}
