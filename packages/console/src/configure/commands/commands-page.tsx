import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { CommandRun } from '@tocsin/contract';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { Button } from '../../frame/button.tsx';
import { useServices } from '../../services/services.ts';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import { type Page, pageSize } from '../core/item-queries.ts';
import { HelpLink } from '../help-link.tsx';
import type { SettingsSearch } from '../settings-search.ts';

const marks: Partial<Record<CommandRun['status'], string>> = {
  done: 'm-good',
  queued: 'm-off',
  running: 'm-part',
  stopped: 'm-part',
};

/** The programs that alarms have run, and what became of them. The list of programs is a file on the server. */
export function CommandsPage({ search }: { readonly search: SettingsSearch }) {
  const words = useWords().configureCommands;
  const { api } = useServices();
  const navigate = useNavigate();
  const query = { limit: pageSize };
  const { data } = useQuery({
    queryKey: ['command-runs'],
    queryFn: async () => (await api.get<Page<CommandRun>>('/commands/runs', query)).data,
    refetchInterval: 10_000,
  });
  const goTo = (next: SettingsSearch) =>
    void navigate({ to: '/settings/$page', params: { page: 'commands' }, search: next });
  const open = data?.items.find(({ id }) => id === search.id);
  return (
    <>
      <section className="pane" aria-label={words.title}>
        <header className="whead">
          <div>
            <h1>{words.title}</h1>
            <p className="muted">
              {words.lead} <HelpLink to="commands" />
            </p>
          </div>
          <span className="fill" />
          <ApiCallButton call={{ method: 'GET', path: '/commands/runs', query }} of={words.title} />
        </header>
        {data?.items.length === 0 && <p className="muted">{words.none}</p>}
        {data && data.items.length > 0 && (
          <Runs runs={data.items} openId={search.id} onOpen={(id) => goTo({ id })} />
        )}
      </section>
      {open && <RunPanel run={open} onClose={() => goTo({})} />}
    </>
  );
}

type RunsProps = {
  readonly runs: readonly CommandRun[];
  readonly openId: SettingsSearch['id'];
  readonly onOpen: (id: number) => void;
};

function Runs({ runs, openId, onOpen }: RunsProps) {
  const words = useWords().configureCommands;
  const time = useSiteTime();
  const now = useNow();
  return (
    <section className="card flush">
      <table className="tbl rows edge cftable">
        <thead>
          <tr>
            <th>{words.run}</th>
            <th>{words.when}</th>
            <th>{words.alarm}</th>
            <th>{words.parameter}</th>
            <th>{words.status}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id} className={run.id === openId ? 'sel' : undefined}>
              <th scope="row">
                <button
                  type="button"
                  className="lnk"
                  aria-pressed={run.id === openId}
                  onClick={() => onOpen(run.id)}
                >
                  {words.command(String(run.scriptId))}
                </button>
              </th>
              <td data-label={words.when}>{time.when(Date.parse(run.orderTime), now)}</td>
              <td data-label={words.alarm}>
                <Link className="lnk" to="/alarms/$id" params={{ id: String(run.alarmId) }}>
                  {run.alarmId}
                </Link>
              </td>
              <td data-label={words.parameter}>{run.parameter}</td>
              <td data-label={words.status}>
                <span className={`mk ${marks[run.status] ?? 'm-bad'}`}>
                  <i />
                  <span>{words.statuses[run.status]}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RunPanel({ run, onClose }: { readonly run: CommandRun; readonly onClose: () => void }) {
  const all = useWords();
  const words = all.configureCommands;
  const facts: readonly (readonly [string, string])[] = [
    [words.status, words.statuses[run.status]],
    [words.reason, run.reason],
    [words.grantedBy, run.grantedBy],
    [words.exitCode, run.exitCode === undefined ? run.signal : String(run.exitCode)],
  ];
  return (
    <aside className="panel cfpanel" aria-label={words.command(String(run.scriptId))}>
      <div className="phead">
        <span>
          <h2>{words.command(String(run.scriptId))}</h2>
          <p>{run.parameter}</p>
        </span>
        <span className="fill" />
        <Button label={all.keys.close} icon="x" kind="sm ghost" onClick={onClose} />
      </div>
      <div className="scroll" tabIndex={-1}>
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
        {run.output !== '' && (
          <section aria-label={words.output}>
            <h3>{words.output}</h3>
            <pre dir="ltr">{run.output}</pre>
          </section>
        )}
      </div>
    </aside>
  );
}
