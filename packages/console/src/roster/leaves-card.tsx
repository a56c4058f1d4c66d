import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Card } from '../frame/card.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { Icon } from '../symbols/icon.tsx';
import { fromLocal } from '../time/local-time.ts';
import { useWords } from '../words/use-words.ts';
import { Choice, TimeFields } from './dialogs/time-fields.tsx';
import { useNames } from './names.ts';
import { canBeCalled } from './planning/can-be-called.ts';
import { instantOf } from './planning/days.ts';
import { dateOfDay } from './planning/roster-of.ts';
import { gapsIn } from './planning/shifts.ts';
import { useRoster } from './roster-context.ts';
import { leavesCall, useRosterChanges } from './roster-queries.ts';

/** Who is away in the time shown. People enter their own leaves, planners those of everybody. */
export function LeavesCard({ days }: { readonly days: readonly number[] }) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, leaves, zone, mayPlan, self } = useRoster();
  const changes = useRosterChanges();
  const [isOpen, setIsOpen] = useState(false);
  const [from, to] = [instantOf(days[0] ?? 0, 0, zone), instantOf((days.at(-1) ?? 0) + 1, 0, zone)];
  const shown = leaves.filter((leave) => Date.parse(leave.from) < to && Date.parse(leave.to) > from);
  const remove = (id: number) => planner.attempt(words.leaving, () => changes.removeLeave(id));
  return (
    <Card title={words.leaves} note={words.inThisTime} call={leavesCall(from, to)}>
      <div className="in">
        {shown.length === 0 && <p className="muted">{words.noLeaves}</p>}
        <ul className="leaves">
          {shown.map((leave) => (
            <li key={leave.id}>
              <b>{leave.user}</b>
              <span>
                {words.fromTo(names.dateClock(Date.parse(leave.from)), names.dateClock(Date.parse(leave.to)))}
              </span>
              {(mayPlan || leave.userId === self) && (
                <button
                  type="button"
                  className="btn sm icon noprint"
                  aria-label={words.removeLeave(leave.user)}
                  onClick={() => void remove(leave.id)}
                >
                  <Icon name="trash-2" />
                </button>
              )}
            </li>
          ))}
        </ul>
        {(mayPlan || self !== undefined) && (
          <Button
            label={words.addLeave}
            icon="plus"
            kind="sm ghost noprint"
            onClick={() => setIsOpen(true)}
          />
        )}
      </div>
      {isOpen && <LeaveDialog day={days[0] ?? 0} onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

function LeaveDialog({ day, onClose }: { readonly day: number; readonly onClose: () => void }) {
  const all = useWords();
  const words = all.roster;
  const names = useNames();
  const { planner, people, zone, mayPlan, self } = useRoster();
  const changes = useRosterChanges();
  const known = [...people.values()].filter(({ enabled }) => enabled);
  const [userId, setUserId] = useState(self ?? known[0]?.id ?? 0);
  const [times, setTimes] = useState({
    from: `${dateOfDay(day)}T00:00`,
    to: `${dateOfDay(day + 7)}T00:00`,
  });
  const [from, to] = [fromLocal(times.from, zone), fromLocal(times.to, zone)];
  const isReady = from !== undefined && to !== undefined && from < to;
  const save = async () => {
    if (!isReady) return;
    const leave = { userId, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    if (await planner.attempt(words.leaving, () => changes.addLeave(leave))) onClose();
  };
  const own = self === undefined ? [] : [[String(self), names.person(self)] as const];
  const everybody = known.map((user) => [String(user.id), user.name] as const);
  const title = (
    <>
      <Icon name="calendar-check" size={20} />
      <span>{words.addLeave}</span>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} onSubmit={() => void save()}>
      <p>{words.leaveLead}</p>
      <Choice
        label={words.person}
        value={String(userId)}
        choices={mayPlan && everybody.length > 0 ? everybody : own}
        onChange={(value) => setUserId(Number(value))}
      />
      <TimeFields {...times} onChange={(begin, end) => setTimes({ from: begin, to: end })} />
      {isReady && <LeaveConsequence userId={userId} from={from} to={to} />}
      {planner.failure !== undefined && (
        <p className="wrong" role="alert">
          {planner.failure}
        </p>
      )}
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.saveLeave} kind="primary" type="submit" disabled={!isReady} />
      </div>
    </Dialog>
  );
}

type AwayProps = { readonly userId: number; readonly from: number; readonly to: number };

/** Whether somebody is still on duty in this group while the person is away. Told before it is saved. */
function LeaveConsequence({ userId, from, to }: AwayProps) {
  const words = useWords().roster;
  const names = useNames();
  const { roster, zone, people } = useRoster();
  const leave = { userId, startsAt: new Date(from), endsAt: new Date(to) };
  const next = { ...roster, leaves: [...(roster.leaves ?? []), leave] };
  const before = gapsIn(roster, zone, { from, to }, canBeCalled(people));
  // A gap that is there without the leave is told in the plan.
  const gap = gapsIn(next, zone, { from, to }, canBeCalled(people)).find(
    (one) => !before.some((other) => other.from === one.from && other.to === one.to),
  );
  if (!gap) return null;
  return (
    <p className="wrong" role="status">
      {words.wouldGap(names.dateClock(gap.from), names.dateClock(gap.to))}
    </p>
  );
}
