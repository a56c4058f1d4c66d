import type { Approval } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { approvalsPath, useReadApprovalsAgain } from './approval-queries.ts';

const icons = { commands: 'terminal', masks: 'eye-off', keys: 'key-round' } as const;

type Props = {
  readonly approval: Approval;
  /** Nobody decides on their own request; they can only withdraw it. */
  readonly isOwn: boolean;
};

type Decision = 'Approve' | 'Refuse' | 'Withdraw';

/** One request, with its decision. */
export function WaitingApproval({ approval, isOwn }: Props) {
  const all = useWords();
  const words = all.approvals;
  const { api } = useServices();
  const readAgain = useReadApprovalsAgain();
  const [comment, setComment] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const decide = async (decision: Decision) => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      const body = { decision, ...(comment.trim() !== '' && { comment: comment.trim() }) };
      await api.post(`${approvalsPath}/${approval.id}/decision`, body);
    } catch (error) {
      setFailure(all.actions.failed(words.decisions[decision], reasonOf(error)));
    }
    setIsBusy(false);
    await readAgain();
  };
  const button = (decision: Decision, kind: string) => (
    <Button
      label={words.decisions[decision]}
      kind={kind}
      disabled={isBusy}
      onClick={() => void decide(decision)}
    />
  );
  return (
    <li className="card">
      <Facts approval={approval} />
      <div className="decision">
        {isOwn ? (
          <p className="muted">{words.own}</p>
        ) : (
          <span className="input">
            <input
              aria-label={words.comment}
              placeholder={words.comment}
              maxLength={1_024}
              value={comment}
              onChange={({ target }) => setComment(target.value)}
            />
          </span>
        )}
        <span className="fill" />
        {isOwn && button('Withdraw', '')}
        {!isOwn && button('Refuse', '')}
        {!isOwn && button('Approve', 'primary')}
      </div>
      {failure !== undefined && (
        <p className="wrong" role="alert">
          {failure}
        </p>
      )}
    </li>
  );
}

function Facts({ approval }: { readonly approval: Approval }) {
  const words = useWords().approvals;
  const time = useSiteTime();
  const now = useNow();
  const { action, summary, requestedBy, requestTime, expiryTime } = approval;
  const [asked, ends] = [requestTime, expiryTime].map((text) => Date.parse(`${text}Z`));
  return (
    <div className="facts">
      <Icon name={icons[action]} size={20} />
      <span>
        <b>{summary}</b>
        <small>
          {words.askedAt(requestedBy, time.when(asked ?? now, now))}
          {'. '}
          {words.endsAt(time.when(ends ?? now, now))}
        </small>
      </span>
    </div>
  );
}
