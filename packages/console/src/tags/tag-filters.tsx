import { useEffect, useState } from 'react';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { type TagFilter, useScenarios } from './tag-queries.ts';

type Props = {
  readonly filter: TagFilter;
  readonly shown: number;
  readonly total: number;
  readonly onChange: (part: Partial<TagFilter>) => void;
};

const typingMs = 250;

export function TagFilters({ filter, shown, total, onChange }: Props) {
  const all = useWords();
  const words = all.tags;
  const scenarios = useScenarios();
  return (
    <div className="filters tagfilters">
      <Search search={filter.search} onChange={(search) => onChange({ search })} />
      <label className="chip">
        <span>{words.priority}</span>
        <select
          value={filter.priority}
          onChange={({ target }) => onChange({ priority: Number(target.value) })}
        >
          <option value={0}>{words.any}</option>
          {([1, 2, 3, 4] as const).map((priority) => (
            <option key={priority} value={priority}>
              {priority} {all.priorities[priority]}
            </option>
          ))}
        </select>
      </label>
      <label className="chip">
        <span>{words.scenario}</span>
        <select
          value={filter.scenarioId}
          onChange={({ target }) => onChange({ scenarioId: Number(target.value) })}
        >
          <option value={0}>{words.any}</option>
          {scenarios.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="chip">
        <span>{words.guidance}</span>
        <select
          value={filter.guidance}
          onChange={({ target }) => onChange({ guidance: target.value as TagFilter['guidance'] })}
        >
          <option value="">{words.any}</option>
          <option value="missing">{words.missing}</option>
          <option value="present">{words.present}</option>
        </select>
      </label>
      <span className="end">{words.shown(shown, total)}</span>
    </div>
  );
}

/** Asks the server when somebody has stopped typing. */
function Search({
  search,
  onChange,
}: {
  readonly search: string;
  readonly onChange: (search: string) => void;
}) {
  const words = useWords().tags;
  const [typed, setTyped] = useState(search);
  useEffect(() => {
    if (typed === search) return;
    const timer = setTimeout(() => onChange(typed), typingMs);
    return () => clearTimeout(timer);
  }, [typed, search, onChange]);
  return (
    <label className="input sm">
      <Icon name="search" size={14} />
      <input
        aria-label={words.search}
        placeholder={words.search}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </label>
  );
}
