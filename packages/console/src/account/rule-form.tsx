import { Button } from '../frame/button.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import { allDays, allPriorities, type DraftRule, toggled } from './draft-rule.ts';
import { RuleMedia } from './rule-media.tsx';

type Props = {
  readonly draft: DraftRule;
  readonly number: number;
  /** Undefined takes the rule away. */
  readonly onChange: (rule: DraftRule | undefined) => void;
  /** Moves it up; undefined for the first. */
  readonly onRaise: (() => void) | undefined;
};

/** One rule: for which priorities, when, and on what the user is called. */
export function RuleForm({ draft, number, onChange, onRaise }: Props) {
  const words = useWords().account;
  const set = (part: Partial<DraftRule>) => onChange({ ...draft, ...part });
  return (
    <li className="mediarule" aria-label={words.ruleNumber(number)}>
      <header>
        <b>{number}</b>
        <span className="input">
          <input
            aria-label={words.ruleName}
            placeholder={words.ruleName}
            value={draft.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        </span>
        {onRaise && (
          <Button
            label=""
            aria-label={words.raise(number)}
            icon="arrow-up"
            kind="sm ghost"
            onClick={onRaise}
          />
        )}
        <Button
          label=""
          aria-label={words.removeRule(number)}
          icon="trash-2"
          kind="sm ghost"
          onClick={() => onChange(undefined)}
        />
      </header>
      <Ticks
        label={words.priorities}
        choices={allPriorities.map((priority) => [priority, `P${priority}`])}
        ticked={draft.priorities}
        onTick={(priority) => set({ priorities: toggled(draft.priorities, priority) })}
      />
      <Days draft={draft} onTick={(day) => set({ days: toggled(draft.days, day) })} />
      <div className="ruletimes">
        <Time label={words.from} value={draft.from} onChange={(from) => set({ from })} />
        <Time label={words.to} value={draft.to} onChange={(to) => set({ to })} />
      </div>
      <RuleMedia media={draft.media} onChange={(media) => set({ media })} />
    </li>
  );
}

/** The days by their short names, from Monday on. */
function Days({ draft, onTick }: { readonly draft: DraftRule; readonly onTick: (day: number) => void }) {
  const words = useWords().account;
  const language = useLanguage();
  const name = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  // 5 January 1970 was a Monday.
  const choices = allDays.map((day) => [day, name.format((3 + day) * 86_400_000)] as const);
  return <Ticks label={words.days} choices={choices} ticked={draft.days} onTick={onTick} />;
}

type TicksProps = {
  readonly label: string;
  readonly choices: readonly (readonly [number, string])[];
  readonly ticked: readonly number[];
  readonly onTick: (choice: number) => void;
};

function Ticks({ label, choices, ticked, onTick }: TicksProps) {
  return (
    <div className="ruleline">
      <span>{label}</span>
      <span className="seg fit" role="group" aria-label={label}>
        {choices.map(([choice, name]) => (
          <button
            key={choice}
            type="button"
            aria-pressed={ticked.includes(choice)}
            onClick={() => onTick(choice)}
          >
            {name}
          </button>
        ))}
      </span>
    </div>
  );
}

type TimeProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** A time of the day. Browsers have no 24:00, which is the midnight at its end. */
const Time = ({ label, value, onChange }: TimeProps) => (
  <label className="ruleline">
    <span>{label}</span>
    <span className="input">
      <input
        type="time"
        required
        value={value === '24:00' ? '00:00' : value}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  </label>
);
