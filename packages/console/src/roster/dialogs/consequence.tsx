import type { RosterOverride } from '@tocsin/contract';
import { useWords } from '../../words/use-words.ts';
import { useNames } from '../names.ts';
import { canBeCalled } from '../planning/can-be-called.ts';
import { gapsIn, withOverrides } from '../planning/shifts.ts';
import { useRoster } from '../roster-context.ts';

export type Period = { readonly from: number; readonly to: number; readonly teamId?: number };

/** What would be wrong with an override: nobody on duty, or somebody on leave. Told before it is saved. */
export function Consequence({ overrides }: { readonly overrides: readonly RosterOverride[] }) {
  const words = useWords().roster;
  const names = useNames();
  const { roster, zone, people } = useRoster();
  const next = withOverrides(roster, overrides);
  const gaps = overrides.flatMap(({ from, to }) =>
    gapsIn(next, zone, { from: Date.parse(from), to: Date.parse(to) }, canBeCalled(people)),
  );
  const [gap] = gaps;
  if (!gap) return null;
  return (
    <p className="wrong" role="status">
      {words.wouldGap(names.dateClock(gap.from), names.dateClock(gap.to))}
    </p>
  );
}
