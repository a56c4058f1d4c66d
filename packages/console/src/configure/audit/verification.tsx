import { useQuery } from '@tanstack/react-query';
import type { AuditVerification } from '@tocsin/contract';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { Button } from '../../frame/button.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';

/** Whether the entries are what was written: verified to an entry, or the first one that cannot be trusted. */
export function Verification() {
  const words = useWords().auditProof;
  const { api } = useServices();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['audit-verification'],
    queryFn: async () => (await api.get<AuditVerification>('/audit/verification')).data,
    retry: false,
  });
  return (
    <section className="auditproof" aria-label={words.title}>
      <div className="prooftext">
        {!data && !error && <p className="muted">{words.running}</p>}
        {error && (
          <p className="wrong" role="alert">
            {reasonOf(error)}
          </p>
        )}
        {data && <Outcome found={data} />}
      </div>
      <Button
        label={words.again}
        icon="rotate-cw"
        kind="sm ghost"
        disabled={isFetching}
        onClick={() => void refetch()}
      />
      <ApiCallButton call={{ method: 'GET', path: '/audit/verification' }} of={words.title} />
    </section>
  );
}

function Outcome({ found }: { readonly found: AuditVerification }) {
  const words = useWords().auditProof;
  const time = useSiteTime();
  const now = useNow();
  const { from, to, isWhole, head, fault } = found;
  if (fault)
    return (
      <div className="wrong" role="alert">
        <b>{words.broken(String(fault.id))}</b>
        <p>{words.next}</p>
        <small>{fault.detail}</small>
      </div>
    );
  return (
    <p role="status">
      <Icon name="shield-check" size={16} />
      <span>
        <b>{words.verified(String(to))}</b>
        <small>
          {isWhole ? words.all : words.newest(String(from))}
          {' · '}
          {head ? words.signed(String(head.number), time.when(Date.parse(head.time), now)) : words.unsigned}
        </small>
      </span>
    </p>
  );
}
