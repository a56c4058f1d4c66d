import { useNavigate } from '@tanstack/react-router';
import { useContext } from 'react';
import { useStations } from '../services/queries.ts';
import { Icon } from '../symbols/icon.tsx';
import { fromLocal, toLocal } from '../time/local-time.ts';
import { ZoneContext } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { hourChoices, type Period, type ShiftSearch } from './shift-search.ts';

type Props = { readonly search: ShiftSearch; readonly period: Period; readonly now: number };

/** Chooses the begin of the sheet, and the station. Both are in the address, so that a sheet can be shared. */
export function SinceChooser({ search, period, now }: Props) {
  const words = useWords().shift;
  const zone = useContext(ZoneContext);
  const navigate = useNavigate();
  const go = (change: ShiftSearch) =>
    void navigate({ to: '/shift', search: { stationId: search.stationId, ...change }, replace: true });
  const value = search.from !== undefined ? 'chosen' : String(search.hours ?? '');
  const iso = (ms: number) => new Date(ms).toISOString();
  const choose = (chosen: string) => {
    if (chosen === 'chosen') return go({ from: iso(period.from) });
    return go(chosen === '' ? {} : { hours: Number(chosen) });
  };
  const onTime = (text: string) => {
    const at = fromLocal(text, zone);
    if (at !== undefined) go({ from: iso(at), to: search.to });
  };
  return (
    <>
      <label className="chip">
        <span>{words.since}</span>
        <select value={value} onChange={({ target }) => choose(target.value)}>
          <option value="">{words.sinceMine}</option>
          {hourChoices.map((hours) => (
            <option key={hours} value={hours}>
              {words.sinceHours(hours)}
            </option>
          ))}
          <option value="chosen">{words.sinceTime}</option>
        </select>
        <Icon name="chevron-down" size={12} />
      </label>
      {search.from !== undefined && (
        <input
          className="chip"
          type="datetime-local"
          aria-label={words.sinceTime}
          value={toLocal(period.from, zone)}
          max={toLocal(now, zone)}
          onChange={({ target }) => onTime(target.value)}
        />
      )}
      <StationChip search={search} onChange={(stationId) => go({ ...search, stationId })} />
    </>
  );
}

type StationProps = {
  readonly search: ShiftSearch;
  readonly onChange: (stationId: number | undefined) => void;
};

/** Only where there is more than one station. */
function StationChip({ search, onChange }: StationProps) {
  const words = useWords().list;
  const stations = useStations();
  if (stations.length < 2) return null;
  return (
    <label className={search.stationId === undefined ? 'chip' : 'chip on'}>
      <span>{words.station}</span>
      <select
        value={search.stationId ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
      >
        <option value="">{words.any}</option>
        {stations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={12} />
    </label>
  );
}
