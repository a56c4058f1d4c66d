import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { useWords } from '../../words/use-words.ts';
import { useNames } from '../core/item-queries.ts';
import type { SettingsSearch } from '../settings-search.ts';

type Props = {
  readonly search: SettingsSearch;
  readonly total: number | undefined;
  readonly onChange: (search: SettingsSearch) => void;
};

const periods = [1, 24, 168, 720] as const;
const actorKinds = ['key', 'issuer', 'system', 'anonymous'] as const;

type FilterName = 'hours' | 'actor' | 'action' | 'object';

/** Period, person, action and object. Each is a parameter of the interface, so that the count is exact. */
export function AuditFilters({ search, total, onChange }: Props) {
  const words = useWords();
  const { id: _, ...kept } = search;
  const filter = (name: FilterName) => (value: string | number) => {
    const others = Object.entries(kept).filter(([each]) => each !== name);
    onChange({ ...Object.fromEntries(others), ...(value !== '' && { [name]: value }) });
  };
  return (
    <div className="wtools audittools">
      <PeriodFilter value={search.hours} onChange={filter('hours')} />
      <ActorFilter value={search.actor} onChange={filter('actor')} />
      <TextFilter
        key={`action ${search.action}`}
        label={words.configureAudit.what}
        hint="user.change"
        value={search.action}
        onChange={filter('action')}
      />
      <TextFilter
        key={`object ${search.object}`}
        label={words.configureAudit.on}
        hint="call-group:3"
        value={search.object}
        onChange={filter('object')}
      />
      {Object.keys(kept).length > 0 && (
        <Button label={words.configureAudit.clear} icon="x" kind="sm ghost" onClick={() => onChange({})} />
      )}
      <span className="fill" />
      <span className="muted" role="status">
        {total === undefined ? '' : words.configure.exactly(String(total))}
      </span>
    </div>
  );
}

type PeriodProps = {
  readonly value: number | undefined;
  readonly onChange: (hours: number | '') => void;
};

function PeriodFilter({ value, onChange }: PeriodProps) {
  const words = useWords().configureAudit;
  return (
    <span className="input sm">
      <select
        aria-label={words.period}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? '' : Number(target.value))}
      >
        <option value="">{words.always}</option>
        {periods.map((hours) => (
          <option key={hours} value={hours}>
            {words.periods[hours]}
          </option>
        ))}
      </select>
    </span>
  );
}

type ActorProps = { readonly value: string | undefined; readonly onChange: (actor: string) => void };

function ActorFilter({ value, onChange }: ActorProps) {
  const words = useWords().configureAudit;
  const names = useNames('users');
  return (
    <span className="input sm">
      <select aria-label={words.who} value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
        <option value="">{words.anybody}</option>
        {[...names].map(([id, name]) => (
          <option key={id} value={`user:${id}`}>
            {name}
          </option>
        ))}
        {actorKinds.map((kind) => (
          <option key={kind} value={kind}>
            {words.kinds[kind]}
          </option>
        ))}
      </select>
    </span>
  );
}

type TextProps = {
  readonly label: string;
  readonly hint: string;
  readonly value: string | undefined;
  readonly onChange: (text: string) => void;
};

/** A text that filters when it is left or confirmed by Enter. */
function TextFilter({ label, hint, value = '', onChange }: TextProps) {
  const [text, setText] = useState(value);
  const apply = () => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <form
      className="input sm"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <input
        aria-label={label}
        placeholder={hint}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={apply}
      />
    </form>
  );
}
