import { useStations } from '../services/queries.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { dayOf, type Period, type PeriodName, type PeriodSearch, periodNames } from './period.ts';

type PeriodProps = {
  readonly search: PeriodSearch;
  readonly shown: Period;
  readonly zone: string | undefined;
  readonly usual?: PeriodName;
  readonly onChange: (search: PeriodSearch) => void;
};

/** A period that ends now, or days. */
export function PeriodChooser({ search, shown, zone, usual = 'week', onChange }: PeriodProps) {
  const words = useWords().analysis;
  const isDays = search.from !== undefined;
  const days = { from: dayOf(shown.from, zone), to: dayOf(shown.to - 1, zone) };
  const chosen = isDays ? undefined : (search.period ?? usual);
  return (
    <>
      <span className="seg" role="group" aria-label={words.period}>
        {periodNames.map((period) => (
          <button
            key={period}
            type="button"
            aria-pressed={period === chosen}
            onClick={() => onChange({ period })}
          >
            {words.periods[period]}
          </button>
        ))}
        <button type="button" aria-pressed={isDays} onClick={() => onChange(days)}>
          {words.days}
        </button>
      </span>
      {isDays && (
        <span className="twodays">
          <DayInput
            label={words.firstDay}
            value={days.from}
            onChange={(from) => onChange({ ...days, from })}
          />
          <DayInput label={words.lastDay} value={days.to} onChange={(to) => onChange({ ...days, to })} />
        </span>
      )}
    </>
  );
}

type DayProps = { readonly label: string; readonly value: string; readonly onChange: (day: string) => void };

function DayInput({ label, value, onChange }: DayProps) {
  return (
    <input
      className="chip"
      type="date"
      aria-label={label}
      value={value}
      onChange={({ target }) => target.value !== '' && onChange(target.value)}
    />
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly none: string;
  readonly choices: readonly { readonly id: number; readonly name: string }[];
  readonly value: number | undefined;
  readonly onChange: (id: number | undefined) => void;
};

/** One of a list, or none. */
export function ChoiceChip({ label, none, choices, value, onChange }: ChoiceProps) {
  return (
    <label className={value === undefined ? 'chip' : 'chip on'}>
      <span>{label}</span>
      <select
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
      >
        <option value="">{none}</option>
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={12} />
    </label>
  );
}

/** Only where there is more than one station. */
export function StationChip({ value, onChange }: Pick<ChoiceProps, 'value' | 'onChange'>) {
  const words = useWords().analysis;
  const stations = useStations();
  if (stations.length < 2) return null;
  return (
    <ChoiceChip label={words.station} none={words.all} choices={stations} value={value} onChange={onChange} />
  );
}
