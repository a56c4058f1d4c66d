import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { RotationDialog } from './dialogs/rotation-dialog.tsx';
import { ShiftDialog } from './dialogs/shift-dialog.tsx';
import { SlotDialog } from './dialogs/slot-dialog.tsx';
import { useNames } from './names.ts';
import { addMonths, instantOf, mondayOf, placeOf } from './planning/days.ts';
import { dateOfDay } from './planning/roster-of.ts';
import { useRoster } from './roster-context.ts';

type Props = { readonly day: number; readonly today: number; readonly isMonth: boolean };

/** Which time is shown, and how it is changed. */
export function PlanTools({ day, today, isMonth }: Props) {
  const words = useWords().roster;
  const navigate = useNavigate({ from: '/roster' });
  const go = (to: number) =>
    void navigate({ search: (before) => ({ ...before, day: dateOfDay(to) }), replace: true });
  const step = (count: number) => go(isMonth ? addMonths(day, count) : day + 7 * count);
  const show = (view: 'month' | undefined) =>
    void navigate({ search: (before) => ({ ...before, view }), replace: true });
  return (
    <div className="wtools">
      <IconButton
        icon="chevron-left"
        label={isMonth ? words.monthBefore : words.weekBefore}
        onClick={() => step(-1)}
      />
      <Shown day={day} isMonth={isMonth} />
      <IconButton
        icon="chevron-right"
        label={isMonth ? words.monthAfter : words.weekAfter}
        onClick={() => step(1)}
      />
      <Button label={words.today} kind="sm ghost" onClick={() => go(today)} />
      <span className="fill" />
      <span className="seg" role="group" aria-label={words.view}>
        <button type="button" aria-pressed={!isMonth} onClick={() => show(undefined)}>
          {words.week}
        </button>
        <button type="button" aria-pressed={isMonth} onClick={() => show('month')}>
          {words.month}
        </button>
      </span>
      <Changes day={day} />
    </div>
  );
}

type IconButtonProps = {
  readonly icon: 'chevron-left' | 'chevron-right';
  readonly label: string;
  readonly onClick: () => void;
};

function IconButton({ icon, label, onClick }: IconButtonProps) {
  return (
    <button type="button" className="btn sm icon" aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

function Shown({ day, isMonth }: Pick<Props, 'day' | 'isMonth'>) {
  const words = useWords().roster;
  const names = useNames();
  const time = useSiteTime();
  const { planner, zone } = useRoster();
  const monday = mondayOf(day);
  const { weeks } = planner.draft;
  const title = isMonth ? names.month(day) : words.weekOf(names.shortDay(monday), names.shortDay(monday + 6));
  const turn = weeks > 1 && !isMonth ? `${words.turn(placeOf(planner.draft, monday).week, weeks)}, ` : '';
  return (
    <>
      <b aria-live="polite">{title}</b>
      <span className="muted">
        {turn}
        {zone}, {time.offset(instantOf(monday, 720, zone))}
      </span>
    </>
  );
}

type Open = 'override' | 'slot' | 'rotation';

function Changes({ day }: { readonly day: number }) {
  const words = useWords().roster;
  const { planner, zone, mayPlan } = useRoster();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const hasTeams = planner.draft.teams.length > 0;
  const from = instantOf(day, 8 * 60, zone);
  return (
    <span className="noprint wact">
      {mayPlan && hasTeams && (
        <>
          <Button label={words.addSlot} icon="plus" kind="sm" onClick={() => setOpen('slot')} />
          <Button label={words.rotation} icon="rotate-cw" kind="sm" onClick={() => setOpen('rotation')} />
        </>
      )}
      {mayPlan && (
        <Button
          label={words.addOverride}
          icon="plus"
          kind="sm addovr"
          hint="O"
          onClick={() => setOpen('override')}
        />
      )}
      {open === 'override' && <ShiftDialog shift={{ from, to: from + 8 * 3_600_000 }} onClose={close} />}
      {open === 'slot' && <SlotDialog place={placeOf(planner.draft, day)} onClose={close} />}
      {open === 'rotation' && <RotationDialog monday={mondayOf(day)} onClose={close} />}
    </span>
  );
}
