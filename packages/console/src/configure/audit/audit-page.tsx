import { useNavigate } from '@tanstack/react-router';
import type { AuditEntry } from '@tocsin/contract';
import { useState } from 'react';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { Button } from '../../frame/button.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { currentTime } from '../../time/current-time.ts';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import { largestPage, pageSize } from '../core/item-queries.ts';
import { HelpLink } from '../help-link.tsx';
import type { SettingsSearch } from '../settings-search.ts';
import { AuditFilters } from './audit-filters.tsx';
import { auditQuery, useTrail } from './audit-queries.ts';
import { EntryPanel } from './entry-panel.tsx';
import { ExportButton } from './export-button.tsx';
import { Verification } from './verification.tsx';

/** Who has changed what: filters, entries, and one of them before and after. */
export function AuditPage({ search }: { readonly search: SettingsSearch }) {
  const words = useWords().configureAudit;
  const navigate = useNavigate();
  const [openedAt] = useState(currentTime);
  const [limit, setLimit] = useState(pageSize);
  const query = auditQuery(search, openedAt, limit);
  const { data, error } = useTrail(query);
  const goTo = (next: SettingsSearch) =>
    void navigate({ to: '/settings/$page', params: { page: 'audit' }, search: next });
  const entry = data?.items.find(({ id }) => id === search.id);
  return (
    <>
      <section className="pane" aria-label={words.title}>
        <header className="whead">
          <div>
            <h1>{words.title}</h1>
            <p className="muted">
              {words.lead} <HelpLink to="security" />
            </p>
          </div>
          <span className="fill" />
          <ApiCallButton call={{ method: 'GET', path: '/audit', query }} of={words.title} />
          <ExportButton />
        </header>
        <Verification />
        <AuditFilters search={search} total={data?.paging.total} onChange={goTo} />
        {error && (
          <p className="wrong" role="alert">
            {reasonOf(error)}
          </p>
        )}
        {data?.items.length === 0 && <p className="muted">{words.none}</p>}
        {data && data.items.length > 0 && (
          <Entries entries={data.items} openId={search.id} onOpen={(id) => goTo({ ...search, id })} />
        )}
        {data && data.paging.total > data.items.length && limit < largestPage && (
          <Button
            label={words.showMore(String(data.items.length), String(data.paging.total))}
            kind="sm ghost"
            onClick={() => setLimit(largestPage)}
          />
        )}
      </section>
      {entry && <EntryPanel key={entry.id} entry={entry} search={search} onGo={goTo} />}
    </>
  );
}

type EntriesProps = {
  readonly entries: readonly AuditEntry[];
  readonly openId: SettingsSearch['id'];
  readonly onOpen: (id: number) => void;
};

function Entries({ entries, openId, onOpen }: EntriesProps) {
  const words = useWords().configureAudit;
  const time = useSiteTime();
  const now = useNow();
  return (
    <section className="card flush">
      <table className="tbl rows edge cftable tight">
        <thead>
          <tr>
            <th className="n">{words.number}</th>
            <th>{words.when}</th>
            <th>{words.who}</th>
            <th>{words.what}</th>
            <th>{words.on}</th>
            <th>{words.why}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id} className={entry.id === openId ? 'sel' : undefined}>
              <td className="n" data-label={words.number}>
                <button
                  type="button"
                  className="lnk"
                  aria-label={words.open(String(entry.id))}
                  aria-pressed={entry.id === openId}
                  onClick={() => onOpen(entry.id)}
                >
                  {entry.id}
                </button>
              </td>
              <td data-label={words.when}>{time.when(Date.parse(entry.time), now)}</td>
              <th scope="row" data-label={words.who}>
                {entry.actor.name === '' ? words.kinds[entry.actor.kind] : entry.actor.name}
              </th>
              <td data-label={words.what}>{entry.action}</td>
              <td data-label={words.on}>{objectText(entry)}</td>
              <td className="muted" data-label={words.why}>
                {entry.reason}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The object with its name, if the entry knows it. */
function objectText({ object, before, after }: AuditEntry): string {
  const { name } = (after ?? before ?? {}) as { name?: unknown };
  const number = [object.kind, object.id].filter((part) => part !== '').join(' ');
  return typeof name === 'string' && name !== '' ? `${number}, ${name}` : number;
}
