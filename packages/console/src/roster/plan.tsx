import { useWords } from '../words/use-words.ts';
import { Conflict } from './conflict.tsx';
import { GapBar } from './gap-bar.tsx';
import { LeavesCard } from './leaves-card.tsx';
import { MonthView } from './month-view.tsx';
import { OverridesCard } from './overrides-card.tsx';
import { PlanHead } from './plan-head.tsx';
import { PlanTools } from './plan-tools.tsx';
import { daysOfMonth, mondayOf } from './planning/days.ts';
import { useRoster } from './roster-context.ts';
import { TeamsCard } from './teams-card.tsx';
import { WeekView } from './week-view.tsx';

type Props = {
  readonly day: number;
  readonly today: number;
  readonly isMonth: boolean;
  /** The group that is called while nobody is on duty. */
  readonly relief: string | undefined;
};

/** The plan of one call group: a week or a month, its gaps, teams, overrides and leaves. */
export function Plan({ day, today, isMonth, relief }: Props) {
  const words = useWords().roster;
  const { planner } = useRoster();
  const monday = mondayOf(day);
  const days = isMonth ? daysOfMonth(day) : [0, 1, 2, 3, 4, 5, 6].map((index) => monday + index);
  const hasTeams = planner.draft.teams.length > 0;
  return (
    <>
      <PlanHead relief={relief} />
      <PlanTools day={day} today={today} isMonth={isMonth} />
      {planner.theirs && <Conflict theirs={planner.theirs} />}
      {planner.failure !== undefined && (
        <p className="wrong" role="alert">
          {planner.failure}
        </p>
      )}
      <GapBar days={days} relief={relief} />
      {!hasTeams && <p className="rosternone">{words.noTeams}</p>}
      {isMonth ? <MonthView days={days} day={day} today={today} /> : <WeekView days={days} today={today} />}
      <div className="under2">
        <TeamsCard days={days} />
        <OverridesCard days={days} />
        <LeavesCard days={days} />
      </div>
    </>
  );
}
