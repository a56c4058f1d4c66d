import { useEffect, useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { useTagGroups, useUsers } from '../analysis-queries.ts';
import { ChoiceChip, PeriodChooser, StationChip } from '../filter-chips.tsx';
import type { Period } from '../period.ts';
import { type HistorySearch, hasFilters } from './history-search.ts';

type Props = {
  readonly search: HistorySearch;
  readonly period: Period;
  readonly zone: string | undefined;
  readonly onChange: (search: HistorySearch) => void;
};

/** The filters. All of them are in the address. */
export function HistoryFilters({ search, period, zone, onChange }: Props) {
  const words = useWords();
  const groups = useTagGroups();
  const users = useUsers();
  const { tab, stationId, tagGroupId, userId } = search;
  const filters = { tab, stationId, tagGroupId, userId, search: search.search };
  const change = (next: HistorySearch) => onChange({ ...search, page: undefined, ...next });
  return (
    <div className="hbar">
      <PeriodChooser
        search={search}
        shown={period}
        zone={zone}
        onChange={(chosen) => onChange({ ...filters, ...chosen })}
      />
      <SearchField value={search.search ?? ''} onChange={(text) => change({ search: text || undefined })} />
      {tab !== 'calls' && (
        <>
          <StationChip value={stationId} onChange={(id) => change({ stationId: id })} />
          {groups.length > 0 && (
            <ChoiceChip
              label={words.histories.area}
              none={words.analysis.any}
              choices={groups.map(({ id, localizedName, name }) => ({ id, name: localizedName || name }))}
              value={tagGroupId}
              onChange={(id) => change({ tagGroupId: id })}
            />
          )}
        </>
      )}
      {users.length > 0 && (
        <ChoiceChip
          label={tab === 'calls' ? words.histories.person : words.histories.takenBy}
          none={words.analysis.any}
          choices={users}
          value={userId}
          onChange={(id) => change({ userId: id })}
        />
      )}
      <span className="fill" />
      {hasFilters(search) && (
        <Button
          label={words.histories.clear}
          icon="x"
          kind="sm ghost"
          onClick={() => onChange({ tab, period: search.period, from: search.from, to: search.to })}
        />
      )}
    </div>
  );
}

/** How long somebody pauses before the server is asked. */
const pauseMs = 300;

type SearchProps = { readonly value: string; readonly onChange: (text: string) => void };

function SearchField({ value, onChange }: SearchProps) {
  const words = useWords().histories;
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <label className="input sm">
      <Icon name="search" size={14} />
      <input
        type="search"
        placeholder={words.search}
        aria-label={words.search}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}
