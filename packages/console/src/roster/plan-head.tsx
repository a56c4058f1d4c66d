import { useState } from 'react';
import { ApiCallButton } from '../frame/api-call.tsx';
import { Button } from '../frame/button.tsx';
import { useMeta } from '../services/queries.ts';
import { currentTime } from '../time/current-time.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { CalendarDialog } from './dialogs/calendar-dialog.tsx';
import { ShiftDialog } from './dialogs/shift-dialog.tsx';
import { toBody } from './planning/draft.ts';
import { dutyAt } from './planning/shifts.ts';
import { useRoster } from './roster-context.ts';
import { groupCall } from './roster-queries.ts';

/** What the group does when it is called, and what can be done with the plan as a whole. */
export function PlanHead({ relief }: { readonly relief: string | undefined }) {
  const all = useWords();
  const words = all.roster;
  const { planner, mayPlan, self } = useRoster();
  const [isCalendar, setIsCalendar] = useState(false);
  const { group } = planner.base;
  const { mode, ackTimeout, attempts, cycles } = group;
  const call =
    planner.count === 0
      ? groupCall(group.id)
      : ({ method: 'PUT', path: `/callgroups/${group.id}`, body: toBody(group, planner.draft) } as const);
  return (
    <header className="whead">
      <div>
        <h1>{group.localizedName}</h1>
        <p className="muted">
          {words.lead} {words.modes[mode]}{' '}
          {words.settings(Math.round(ackTimeout / 60) || 1, attempts, cycles)}
          {relief !== undefined && ` ${words.thenRelief(relief)}`}
        </p>
        <Printed />
      </div>
      <span className="fill" />
      <span className="noprint wact">
        <ApiCallButton call={call} of={group.localizedName} />
        {self !== undefined && <TakeOverNow />}
        <Button label={words.calendar} icon="calendar-days" kind="sm" onClick={() => setIsCalendar(true)} />
        <Button label={all.shift.print} icon="printer" kind="sm" onClick={() => print()} />
        {planner.count > 0 && <Button label={words.discard} kind="sm ghost" onClick={planner.discard} />}
        {mayPlan ? (
          <Button
            label={words.publish(planner.count)}
            kind="sm primary"
            disabled={planner.count === 0 || planner.theirs !== undefined}
            onClick={() => void planner.publish()}
          />
        ) : (
          <small className="muted">{words.readOnly}</small>
        )}
      </span>
      {isCalendar && <CalendarDialog onClose={() => setIsCalendar(false)} />}
    </header>
  );
}

/** Opens the duty of this moment, from now on. */
function TakeOverNow() {
  const words = useWords().roster;
  const { roster, zone } = useRoster();
  const [at, setAt] = useState<number>();
  const duty = at === undefined ? undefined : dutyAt(roster, zone, at);
  const shift = at !== undefined && duty && { from: at, to: duty.endsAt.getTime() };
  return (
    <>
      <Button
        label={words.takeOverNow}
        icon="phone-incoming"
        kind="sm"
        onClick={() => setAt(currentTime())}
      />
      {shift && <ShiftDialog shift={shift} onClose={() => setAt(undefined)} />}
    </>
  );
}

/** On paper only: of which plant the plan is, and who has printed it when. */
function Printed() {
  const words = useWords().shift;
  const time = useSiteTime();
  const now = useNow();
  const meta = useMeta();
  if (!meta) return null;
  const when = `${time.date(now)} ${time.clock(now)}, ${time.offset(now)}`;
  return <p className="printonly">{words.printed(meta.tenant.name, when, meta.user.name)}</p>;
}
