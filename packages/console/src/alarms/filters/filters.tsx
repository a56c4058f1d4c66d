import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react';
import { useKeyHint } from '../../keys/single-keys.tsx';
import { useStations } from '../../services/queries.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { useAlarms } from '../alarms-context.tsx';
import { type AlarmFilter, isFiltered } from './filter.ts';

type Props = {
  readonly filter: AlarmFilter;
  readonly shown: number;
  readonly all: number;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  /** What can be done with the whole list. */
  readonly children: ReactNode;
};
type Choice = { readonly value: string; readonly label: string };

/** The filters mirror those of the interface, and live in the address. */
export function Filters({ filter, shown, all, searchRef, children }: Props) {
  const words = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const navigate = useNavigate();
  const set = (change: Partial<AlarmFilter>) =>
    void navigate({ to: '/', search: { ...filter, ...change }, replace: true });
  const hint = useKeyHint();
  return (
    <div className={isOpen ? 'filters open' : 'filters'}>
      <label className="input sm">
        <Icon name="search" size={14} />
        <input
          ref={searchRef}
          type="search"
          placeholder={words.list.searchHint}
          aria-label={words.list.search}
          value={filter.search ?? ''}
          onChange={({ target }) => set({ search: target.value === '' ? undefined : target.value })}
          onKeyDown={leaveSearch}
        />
        <kbd aria-hidden="true">{hint('/')}</kbd>
      </label>
      <FoldButton isOpen={isOpen} isOn={isFiltered(filter)} onToggle={() => setIsOpen(!isOpen)} />
      <span className="chips">
        <Chips filter={filter} onChange={set} />
        {children}
      </span>
      <span className="end">{words.list.count(shown, all)}</span>
    </div>
  );
}

/** Enter and Escape lead from the search to its result. */
function leaveSearch({ key }: KeyboardEvent): void {
  if (key === 'Enter' || key === 'Escape') document.querySelector<HTMLElement>('main .listgrid')?.focus();
}

type FoldProps = { readonly isOpen: boolean; readonly isOn: boolean; readonly onToggle: () => void };

/** On a phone the filters fold away; a filter that hides alarms stays visible on the button. */
function FoldButton({ isOpen, isOn, onToggle }: FoldProps) {
  const words = useWords().narrow;
  return (
    <button type="button" className="btn sm fold-filters" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name="sliders-horizontal" />
      <span>{isOn ? words.filtersOn : words.filters}</span>
    </button>
  );
}

type ChipsProps = { readonly filter: AlarmFilter; readonly onChange: (change: Partial<AlarmFilter>) => void };

function Chips({ filter, onChange }: ChipsProps) {
  const words = useWords();
  const stations = useStations().map(({ id, name }) => ({ value: String(id), label: name }));
  const number = (value: string) => (value === '' ? undefined : Number(value));
  const states = ['new', 'ack', 'rtn'] as const;
  return (
    <>
      <Chip
        label={words.list.station}
        value={filter.stationId}
        choices={stations}
        onChange={(value) => onChange({ stationId: number(value) })}
      />
      <Chip
        label={words.list.area}
        value={filter.areaId}
        choices={useAreas()}
        onChange={(value) => onChange({ areaId: number(value) })}
      />
      <Chip
        label={words.list.state}
        value={filter.state}
        choices={states.map((state) => ({ value: state, label: words.states[state] }))}
        onChange={(value) => onChange({ state: states.find((state) => state === value) })}
      />
      <button
        type="button"
        className={`chip${filter.masked ? ' on' : ''}`}
        aria-pressed={filter.masked !== undefined}
        onClick={() => onChange({ masked: filter.masked ? undefined : 'shown' })}
      >
        <span>{words.list.masked}</span>
        {filter.masked && <b>{words.list.shown}</b>}
        {filter.masked && <Icon name="x" size={12} />}
      </button>
    </>
  );
}

/** The areas that have alarms now. */
function useAreas(): readonly Choice[] {
  const { rows } = useAlarms();
  const areas = new Map<number, string>();
  for (const { context } of rows) if (context && context.areaId > 0) areas.set(context.areaId, context.area);
  return [...areas]
    .map(([id, label]) => ({ value: String(id), label }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}

type ChipProps = {
  readonly label: string;
  readonly value: string | number | undefined;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
};

function Chip({ label, value, choices, onChange }: ChipProps) {
  const words = useWords().list;
  return (
    <label className={`chip${value === undefined ? '' : ' on'}`}>
      <span>{label}</span>
      <select value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
        <option value="">{words.any}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={12} />
    </label>
  );
}
