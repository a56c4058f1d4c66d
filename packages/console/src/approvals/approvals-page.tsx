import type { Approval } from '@tocsin/contract';
import { ApiCallButton } from '../frame/api-call.tsx';
import { useMeta } from '../services/queries.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { approvalsPath, useApprovals } from './approval-queries.ts';
import { WaitingApproval } from './waiting-approval.tsx';

/** Dangerous actions that wait for a second person, and what became of those before. */
export function ApprovalsPage() {
  const words = useWords().approvals;
  const ownId = useMeta()?.user.id;
  const approvals = useApprovals();
  const waiting = approvals?.filter(({ state }) => state === 'Waiting') ?? [];
  const over = approvals?.filter(({ state }) => state !== 'Waiting') ?? [];
  return (
    <main className="approvalspage">
      <header className="whead">
        <div>
          <h1>{words.title}</h1>
          <p className="muted">{words.lead}</p>
        </div>
        <span className="fill" />
        <ApiCallButton call={{ method: 'GET', path: approvalsPath }} of={words.title} />
      </header>
      {approvals && waiting.length === 0 && <p className="norules">{words.none}</p>}
      <ul className="waiting" aria-label={words.waiting}>
        {waiting.map((approval) => (
          <WaitingApproval key={approval.id} approval={approval} isOwn={approval.requestedById === ownId} />
        ))}
      </ul>
      {over.length > 0 && <Over approvals={over} />}
    </main>
  );
}

function Over({ approvals }: { readonly approvals: readonly Approval[] }) {
  const words = useWords().approvals;
  const time = useSiteTime();
  const now = useNow();
  const at = (text: string) => time.when(Date.parse(`${text}Z`), now);
  return (
    <section className="card flush" aria-label={words.over}>
      <header>
        <h2>{words.over}</h2>
      </header>
      <table className="tbl rows edge cftable">
        <thead>
          <tr>
            <th>{words.what}</th>
            <th>{words.askedBy}</th>
            <th>{words.state}</th>
            <th>{words.decidedBy}</th>
          </tr>
        </thead>
        <tbody>
          {approvals.map(({ id, summary, requestedBy, requestTime, state, decidedBy, comment }) => (
            <tr key={id}>
              <th scope="row">{summary}</th>
              <td data-label={words.askedBy}>
                {requestedBy}, {at(requestTime)}
              </td>
              <td data-label={words.state}>{words.states[state]}</td>
              <td data-label={words.decidedBy}>
                {[decidedBy, comment].filter((part) => part !== undefined && part !== '').join(': ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
