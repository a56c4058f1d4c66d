import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { currentTime } from '../../time/current-time.ts';
import { useWords } from '../../words/use-words.ts';
import { useNames } from '../names.ts';
import { dayAt, dutiesOf } from '../planning/days.ts';
import { shiftsOf, swapped } from '../planning/shifts.ts';
import { useRoster } from '../roster-context.ts';
import { Consequence, type Period } from './consequence.tsx';
import { Choice } from './time-fields.tsx';

const daysAhead = 15;
const mostShifts = 40;

/** Two teams take each other's shift, once. */
export function SwapPart({ shift, onDone }: { readonly shift: Period; readonly onDone: () => void }) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, roster, zone, mayPlan } = useRoster();
  const day = dayAt(shift.from, zone);
  const teamId = shift.teamId ?? 0;
  const others = shiftsOf(dutiesOf(roster, zone, day - 1, day + daysAhead))
    .filter((one) => one.teamId !== teamId && one.from >= currentTime())
    .slice(0, mostShifts);
  const [chosen, setChosen] = useState(() =>
    Math.max(
      0,
      others.findIndex(({ from }) => from >= shift.to),
    ),
  );
  const other = others[chosen];
  if (!mayPlan || !other) return null;
  const overrides = swapped({ from: shift.from, to: shift.to, teamId }, other, words.swapReason);
  const swap = async () => {
    if (await planner.setOverrides([...planner.base.group.roster.overrides, ...overrides])) onDone();
  };
  const say = ({ from, to, teamId: team }: (typeof others)[number]) =>
    `${names.team(team)}, ${names.dateClock(from)}–${names.clock(to)}`;
  return (
    <section className="part">
      <h3>{words.swap}</h3>
      <Choice
        label={words.swapWith(names.team(teamId))}
        value={String(chosen)}
        choices={others.map((one, index) => [String(index), say(one)] as const)}
        onChange={(value) => setChosen(Number(value))}
      />
      <Consequence overrides={overrides} />
      <span className="partact">
        <Button
          label={words.swapGo(names.team(teamId), names.team(other.teamId))}
          icon="arrow-left-right"
          onClick={() => void swap()}
        />
      </span>
    </section>
  );
}
