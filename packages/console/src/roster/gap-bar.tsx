import { Button } from '../frame/button.tsx';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { currentTime } from '../time/current-time.ts';
import { useWords } from '../words/use-words.ts';
import { useNames } from './names.ts';
import { canBeCalled } from './planning/can-be-called.ts';
import { dayAt, instantOf, minuteAt, placeOf, slotsOn } from './planning/days.ts';
import { change, type Draft, type Slot } from './planning/draft.ts';
import { clockOf } from './planning/roster-of.ts';
import { type Gap, gapsIn } from './planning/shifts.ts';
import { useRoster } from './roster-context.ts';

type Props = { readonly days: readonly number[]; readonly relief: string | undefined };

/** The first time that is shown in which nobody is on duty, before and after publishing, and two ways to close it. */
export function GapBar({ days, relief }: Props) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, roster, zone, people, mayPlan } = useRoster();
  if (planner.planned.roster.slots.length + planner.planned.roster.overrides.length === 0) return null;
  const begin = instantOf(days[0] ?? 0, 0, zone);
  // Nobody can close a gap that is over.
  const today = instantOf(dayAt(currentTime(), zone), 0, zone);
  const period = { from: Math.max(begin, today), to: instantOf((days.at(-1) ?? 0) + 1, 0, zone) };
  if (period.from >= period.to) return null;
  const gaps = gapsIn(roster, zone, period, canBeCalled(people));
  const [gap] = gaps;
  if (!gap) return null;
  const start = dayAt(gap.from, zone);
  const isOneDay = start === dayAt(gap.to - 1, zone);
  const text = isOneDay
    ? words.gapOn(names.longDay(start), names.clock(gap.from), endClock(gap, zone))
    : words.gapOver(names.dateClock(gap.from), names.dateClock(gap.to));
  return (
    <div className="warnbar" role="status">
      <AlarmSymbol priority={3} state="ack" />
      <span>
        <b>{text}</b> {relief === undefined ? words.noRelief : words.reliefCalled(relief)}
        {gaps.length > 1 && ` ${words.moreGaps(gaps.length - 1)}`}
      </span>
      <span className="fill" />
      {mayPlan && isOneDay && <Fixes gap={gap} />}
    </div>
  );
}

/** `24:00` for midnight. */
const endClock = ({ to }: Gap, zone: string) => clockOf(minuteAt(to - 60_000, zone) + 1);

type Fix = { readonly label: string; readonly draft: Draft };

function Fixes({ gap }: { readonly gap: Gap }) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, zone } = useRoster();
  const { draft } = planner;
  const day = dayAt(gap.from, zone);
  const [from, to] = [minuteAt(gap.from, zone), minuteAt(gap.to - 60_000, zone) + 1];
  const slots = slotsOn(draft, day);
  const isPlanned = placeOf(draft, day).day > 0;
  const extend = (slot: Slot | undefined, part: Partial<Slot>, label: (slot: Slot) => string): Fix[] =>
    slot && isPlanned ? [{ label: label(slot), draft: change(draft, slot, { ...slot, ...part }) }] : [];
  const fixes = [
    ...extend(
      slots.find((slot) => slot.to === from),
      { to },
      ({ teamId }) => words.extend(names.team(teamId), clockOf(to)),
    ),
    ...extend(
      slots.find((slot) => slot.from === to),
      { from },
      ({ teamId }) => words.startEarlier(names.team(teamId), clockOf(from)),
    ),
  ];
  return fixes.map(({ label, draft: next }) => (
    <Button key={label} label={label} kind="sm" onClick={() => planner.edit(next)} />
  ));
}
