import { useRef, useState } from 'react';
import { keyOf } from '../keys/key-of.ts';
import { useSingleKeys } from '../keys/single-keys.tsx';
import { useWords } from '../words/use-words.ts';
import { DayRow } from './day-row.tsx';
import { useNames } from './names.ts';
import { placeOf } from './planning/days.ts';
import { assign, change, type Slot } from './planning/draft.ts';
import { clockOf } from './planning/roster-of.ts';
import { useRoster } from './roster-context.ts';
import { type Dropped, useDrag } from './use-drag.ts';
import { useFocusSlot } from './use-focus-slot.ts';

type Props = { readonly days: readonly number[]; readonly today: number };

/** The week as seven bars: slots are dragged, or moved with the arrow keys. */
export function WeekView({ days, today }: Props) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, mayPlan } = useRoster();
  const { draft } = planner;
  const isSingle = useSingleKeys();
  const [chosen, setChosen] = useState(0);
  const [said, setSaid] = useState('');
  const grid = useRef<HTMLDivElement>(null);
  const focusSlot = useFocusSlot(grid);
  const brush = draft.teams[chosen]?.id ?? draft.teams[0]?.id;

  const drop = ({ slot, day, ...span }: Dropped) => {
    const teamId = slot?.teamId ?? brush;
    if (teamId === undefined) return;
    const after: Slot = { teamId, ...placeOf(draft, day), ...span };
    planner.edit(slot ? change(draft, slot, after) : assign(draft, after));
    setSaid(words.moved(names.team(teamId), names.weekday(day), clockOf(span.from), clockOf(span.to)));
    focusSlot(day, span.from);
  };
  const drag = useDrag({ days, draft, isEnabled: mayPlan, onDrop: drop });
  return (
    <>
      <div
        ref={grid}
        className={mayPlan ? 'wgrid editable' : 'wgrid'}
        role="group"
        aria-label={words.grid}
        {...drag.handlers}
        onKeyDown={(event) => {
          // The override of the tools, as its button says.
          if (keyOf(event, isSingle) === 'o')
            grid.current?.closest('.week')?.querySelector<HTMLElement>('.addovr')?.click();
        }}
      >
        <Hours />
        {days.map((day) => (
          <DayRow key={day} day={day} isToday={day === today} ghost={drag.ghost} onDrop={drop} />
        ))}
      </div>
      <p className="vh" role="status">
        {said}
      </p>
      <Legend chosen={chosen} onChoose={setChosen} />
    </>
  );
}

const marks = [0, 3, 6, 9, 12, 15, 18, 21];

function Hours() {
  return (
    <div className="hours" aria-hidden="true">
      <span />
      <div>
        {marks.map((hour) => (
          <span key={hour} style={{ insetInlineStart: `${(hour / 24) * 100}%` }}>
            {clockOf(hour * 60)}
          </span>
        ))}
      </div>
    </div>
  );
}

type LegendProps = { readonly chosen: number; readonly onChoose: (index: number) => void };

/** The teams with their patterns. The chosen one gets the times that are dragged over. */
function Legend({ chosen, onChoose }: LegendProps) {
  const words = useWords().roster;
  const names = useNames();
  const { planner, mayPlan } = useRoster();
  return (
    <div className="legend">
      {planner.draft.teams.map(({ id, name }, index) =>
        mayPlan ? (
          <button
            key={id}
            type="button"
            className="chip"
            aria-pressed={index === chosen}
            title={words.brush(name)}
            onClick={() => onChoose(index)}
          >
            <i className={`sw ${names.pattern(id)}`} />
            <span>{name}</span>
          </button>
        ) : (
          <span key={id}>
            <i className={`sw ${names.pattern(id)}`} />
            {name}
          </span>
        ),
      )}
      <span>
        <i className="sw ov" />
        {words.override}
      </span>
      <span>
        <i className="sw gp" />
        {words.nobody}
      </span>
      <span className="fill" />
      {mayPlan && (
        <span className="noprint hintline">
          {words.hint} <kbd>↵</kbd> {words.hintEnter}
        </span>
      )}
    </div>
  );
}
