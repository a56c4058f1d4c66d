import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { useNames } from '../names.ts';
import { setHoliday } from '../planning/draft.ts';
import { dateOfDay } from '../planning/roster-of.ts';
import { useRoster } from '../roster-context.ts';

/** Whether a day is a holiday, with the slots of a Sunday; planners change it. */
export function HolidayButton({ day }: { readonly day: number }) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, mayPlan } = useRoster();
  const [isOpen, setIsOpen] = useState(false);
  const date = dateOfDay(day);
  const holiday = planner.draft.holidays.find((one) => one.date === date);
  if (!mayPlan) return holiday ? <small className="holiday">{holiday.name || words.holiday}</small> : null;
  const label = holiday ? holiday.name || words.holiday : words.makeHoliday(names.longDay(day));
  return (
    <>
      <button
        type="button"
        className={holiday ? 'holiday' : 'holiday none noprint'}
        aria-label={label}
        title={label}
        onClick={() => setIsOpen(true)}
      >
        {holiday ? <span>{label}</span> : <Icon name="star" size={13} />}
      </button>
      {isOpen && <HolidayDialog day={day} name={holiday?.name} onClose={() => setIsOpen(false)} />}
    </>
  );
}

type Props = { readonly day: number; readonly name: string | undefined; readonly onClose: () => void };

function HolidayDialog({ day, name: before, onClose }: Props) {
  const all = useWords();
  const words = all.roster;
  const names = useNames();
  const { planner } = useRoster();
  const [name, setName] = useState(before ?? '');
  const save = (next: string | undefined) => {
    planner.edit(setHoliday(planner.draft, dateOfDay(day), next));
    onClose();
  };
  const title = (
    <>
      <Icon name="star" size={20} />
      <span>{words.holidayOn(names.longDay(day))}</span>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} onSubmit={() => save(name.trim())}>
      <p>{words.holidayLead}</p>
      <label className="fld">
        <span>{words.holidayNameLabel}</span>
        <span className="input tall">
          <input value={name} maxLength={64} onChange={({ target }) => setName(target.value)} />
        </span>
      </label>
      <div className="dlgact">
        {before !== undefined && (
          <Button label={words.noHoliday} icon="trash-2" kind="ghost start" onClick={() => save(undefined)} />
        )}
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.setHoliday} kind="primary" type="submit" />
      </div>
    </Dialog>
  );
}
