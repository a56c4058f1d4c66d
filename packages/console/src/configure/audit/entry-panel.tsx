import type { AuditEntry } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { useSiteTime } from '../../time/site-time.ts';
import { useWords } from '../../words/use-words.ts';
import type { SettingsSearch } from '../settings-search.ts';
import { differencesOf } from './difference.ts';

type Props = {
  readonly entry: AuditEntry;
  readonly search: SettingsSearch;
  readonly onGo: (search: SettingsSearch) => void;
};

/** One entry: when, who, from where, why, and the object before and after. */
export function EntryPanel({ entry, search, onGo }: Props) {
  const all = useWords();
  const words = all.configureAudit;
  const { id: _, ...list } = search;
  const { actor, object } = entry;
  return (
    <aside className="panel cfpanel" aria-label={words.entry(String(entry.id))}>
      <div className="phead">
        <span>
          <h2>{words.entry(String(entry.id))}</h2>
          <p>{entry.action}</p>
        </span>
        <span className="fill" />
        <Button label={all.keys.close} icon="x" kind="sm ghost" onClick={() => onGo(list)} />
      </div>
      <div className="scroll" tabIndex={-1}>
        <Facts entry={entry} />
        <BeforeAfter entry={entry} />
        <section aria-label={words.fingerprint}>
          <h3>
            {words.fingerprint} <small>SHA-256</small>
          </h3>
          <p className="hashes" dir="ltr">
            {entry.hash}
          </p>
          <p className="muted">{words.chain}</p>
        </section>
      </div>
      <footer>
        {actor.id !== '' && (
          <Button
            label={words.allOf(actor.name)}
            kind="sm ghost"
            onClick={() => onGo({ actor: `${actor.kind}:${actor.id}` })}
          />
        )}
        {object.id !== '' && (
          <Button
            label={words.allOn(`${object.kind} ${object.id}`)}
            kind="sm ghost"
            onClick={() => onGo({ object: `${object.kind}:${object.id}` })}
          />
        )}
      </footer>
    </aside>
  );
}

function Facts({ entry }: { readonly entry: AuditEntry }) {
  const words = useWords().configureAudit;
  const time = useSiteTime();
  const at = Date.parse(entry.time);
  const { actor } = entry;
  const facts: readonly (readonly [string, string])[] = [
    [words.when, `${time.date(at)} ${time.clock(at)}, ${time.offset(at)}`],
    [words.who, actor.name === '' ? words.kinds[actor.kind] : `${actor.name} (${actor.kind} ${actor.id})`],
    [words.from, entry.address],
    [words.why, entry.reason],
    [words.request, entry.requestId],
  ];
  return (
    <section>
      <dl className="kv">
        {facts
          .filter(([, text]) => text !== '')
          .map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

function BeforeAfter({ entry: { before, after } }: { readonly entry: AuditEntry }) {
  const words = useWords().configureAudit;
  const [hasAll, setHasAll] = useState(false);
  const all = differencesOf(before, after, true);
  const changed = differencesOf(before, after);
  if (all.length === 0) return null;
  return (
    <section aria-label={words.beforeAfter}>
      <h3>
        {words.beforeAfter} <small>{words.ofFields(String(changed.length), String(all.length))}</small>
      </h3>
      <table className="ba">
        <thead>
          <tr>
            <th>{words.field}</th>
            <th>{words.before}</th>
            <th>{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {(hasAll ? all : changed).map(({ name, before: old, after: next }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{old}</td>
              <td className={old === next ? undefined : 'nv'}>{next}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!hasAll && changed.length < all.length && (
        <Button label={words.showAll(String(all.length))} kind="sm ghost" onClick={() => setHasAll(true)} />
      )}
    </section>
  );
}
