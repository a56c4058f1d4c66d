import { useWords } from '../../words/use-words.ts';

type Props = {
  /** `2026-11-16T08:00`, as the plant's clocks show it. */
  readonly from: string;
  readonly to: string;
  readonly onChange: (from: string, to: string) => void;
};

/** The begin and end of a period. */
export function TimeFields({ from, to, onChange }: Props) {
  const words = useWords().roster;
  return (
    <div className="pair">
      <label className="fld">
        <span>{words.from}</span>
        <span className="input tall">
          <input
            type="datetime-local"
            value={from}
            required
            onChange={({ target }) => onChange(target.value, to)}
          />
        </span>
      </label>
      <label className="fld">
        <span>{words.to}</span>
        <span className="input tall">
          <input
            type="datetime-local"
            value={to}
            min={from}
            required
            onChange={({ target }) => onChange(from, target.value)}
          />
        </span>
      </label>
    </div>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
};

/** One choice of many. */
export function Choice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <label className="fld">
      <span>{label}</span>
      <span className="input tall choice">
        <select value={value} onChange={({ target }) => onChange(target.value)}>
          {choices.map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}
