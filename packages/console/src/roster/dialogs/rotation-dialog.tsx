import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { Segments } from '../../frame/segments.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { useNames } from '../names.ts';
import { type Draft, rotate, takeTurns } from '../planning/draft.ts';
import { dateOfDay } from '../planning/roster-of.ts';
import { useRoster } from '../roster-context.ts';
import { Choice } from './time-fields.tsx';

const mostWeeks = 12;

/** After how many weeks the plan repeats, and how finely it is divided. */
export function RotationDialog({
  monday,
  onClose,
}: {
  readonly monday: number;
  readonly onClose: () => void;
}) {
  const all = useWords();
  const words = all.roster;
  const names = useNames();
  const { planner } = useRoster();
  const { draft } = planner;
  const [weeks, setWeeks] = useState(draft.weeks);
  const [minutes, setMinutes] = useState(draft.slotMinutes);
  const start = draft.weeks > 1 ? draft.start : dateOfDay(monday);
  const isOnGrid = (step: number) =>
    draft.slots.every(({ from, to }) => from % step === 0 && to % step === 0);
  const edit = (next: Draft) => {
    planner.edit({ ...next, slotMinutes: minutes });
    onClose();
  };
  return (
    <Dialog title={<Title />} onClose={onClose} onSubmit={() => edit(rotate(draft, weeks, start))}>
      <p>{words.rotationLead}</p>
      <Choice
        label={words.repeats}
        value={String(weeks)}
        choices={Array.from({ length: mostWeeks }, (_, index) => [String(index + 1), words.weeks(index + 1)])}
        onChange={(value) => setWeeks(Number(value))}
      />
      <Segments
        label={words.steps}
        choices={([15, 30, 60] as const)
          .filter((step) => isOnGrid(step))
          .map((step) => [step, words.minutes(step)] as const)}
        value={minutes}
        onChange={setMinutes}
      />
      <section className="part">
        <p>{words.turnsLead(names.shortDay(monday))}</p>
        <span className="partact">
          <Button
            label={words.turnsGo}
            disabled={draft.teams.length < 2 || draft.teams.length > mostWeeks}
            onClick={() => edit(takeTurns(draft, dateOfDay(monday)))}
          />
        </span>
      </section>
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={onClose} />
        <Button label={words.setRotation} kind="primary" type="submit" />
      </div>
    </Dialog>
  );
}

function Title() {
  return (
    <>
      <Icon name="rotate-cw" size={20} />
      <span>{useWords().roster.rotation}</span>
    </>
  );
}
