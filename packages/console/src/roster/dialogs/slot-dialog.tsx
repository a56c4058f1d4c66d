import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { useNames } from '../names.ts';
import { assign, change, type Draft, remove, type Slot } from '../planning/draft.ts';
import { clockOf } from '../planning/roster-of.ts';
import { useRoster } from '../roster-context.ts';
import { Choice } from './time-fields.tsx';

type EditorProps = { readonly slot: Slot; readonly onDone: () => void };

/** Changes a slot for every week, in the draft. */
export function SlotEditor({ slot, onDone }: EditorProps) {
  const words = useWords().roster;
  const { planner, mayPlan } = useRoster();
  const [next, setNext] = useState(slot);
  if (!mayPlan) return null;
  const edit = (draft: Draft) => {
    planner.edit(draft);
    onDone();
  };
  return (
    <section className="part">
      <h3>{planner.draft.weeks > 1 ? words.everyTurn(planner.draft.weeks) : words.everyWeek}</h3>
      <SlotFields slot={next} onChange={setNext} />
      <span className="partact">
        <Button
          label={words.removeSlot}
          icon="trash-2"
          kind="ghost start"
          onClick={() => edit(remove(planner.draft, slot))}
        />
        <Button
          label={words.changeSlot}
          disabled={next.from >= next.to}
          onClick={() => edit(change(planner.draft, slot, next))}
        />
      </span>
    </section>
  );
}

type DialogProps = { readonly place: Pick<Slot, 'day' | 'week'>; readonly onClose: () => void };

/** A new slot, typed instead of dragged. */
export function SlotDialog({ place, onClose }: DialogProps) {
  const all = useWords();
  const words = all.roster;
  const { planner } = useRoster();
  const teamId = planner.draft.teams[0]?.id ?? 0;
  const [slot, setSlot] = useState<Slot>({ ...place, teamId, from: 8 * 60, to: 16 * 60 });
  const [beside, setBeside] = useState(false);
  const save = () => {
    planner.edit(assign(planner.draft, slot, { beside }));
    onClose();
  };
  const title = (
    <>
      <Icon name="plus" size={20} />
      <span>{words.newSlot}</span>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} onSubmit={save}>
      <p>{words.newSlotLead}</p>
      <SlotFields slot={slot} onChange={setSlot} />
      <label className="chk">
        <input type="checkbox" checked={beside} onChange={({ target }) => setBeside(target.checked)} />
        <span>{words.beside}</span>
      </label>
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.addSlot} kind="primary" type="submit" disabled={slot.from >= slot.to} />
      </div>
    </Dialog>
  );
}

type FieldsProps = { readonly slot: Slot; readonly onChange: (slot: Slot) => void };

/** A Monday, to name the days of the week. */
const monday = 4;

function SlotFields({ slot, onChange }: FieldsProps) {
  const words = useWords().roster;
  const names = useNames();
  const { planner } = useRoster();
  const { teams, slotMinutes } = planner.draft;
  const count = 1_440 / slotMinutes;
  const minutes = Array.from({ length: count + 1 }, (_, index) => index * slotMinutes);
  const choose = (part: keyof Slot) => (value: string) => onChange({ ...slot, [part]: Number(value) });
  const clocks = (list: readonly number[]) =>
    list.map((minute) => [String(minute), clockOf(minute)] as const);
  return (
    <div className="four">
      <Choice
        label={words.team}
        value={String(slot.teamId)}
        choices={teams.map(({ id, name }) => [String(id), name] as const)}
        onChange={choose('teamId')}
      />
      <Choice
        label={words.dayLabel}
        value={String(slot.day)}
        choices={[1, 2, 3, 4, 5, 6, 7].map((day) => [String(day), names.weekday(monday + day - 1)] as const)}
        onChange={choose('day')}
      />
      <Choice
        label={words.from}
        value={String(slot.from)}
        choices={clocks(minutes.slice(0, -1))}
        onChange={choose('from')}
      />
      <Choice
        label={words.to}
        value={String(slot.to)}
        choices={clocks(minutes.slice(1))}
        onChange={choose('to')}
      />
    </div>
  );
}
