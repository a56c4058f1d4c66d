import { useQuery } from '@tanstack/react-query';
import type { CallPreviewRequest, CallPreview as Preview } from '@tocsin/contract';
import { useState } from 'react';
import { planned } from '../../alarm-page/planned-calls.ts';
import { PlannedLine } from '../../alarm-page/planned-line.tsx';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { useWords } from '../../words/use-words.ts';
import { CallChart } from './call-chart.tsx';

/** How far the preview looks ahead: later calls repeat the earlier ones. */
const shownSeconds = 900;

type Props = {
  readonly request: CallPreviewRequest;
  /** Whether there is room for a chart. */
  readonly hasChart?: boolean;
};

/** Who would be called at a time, if nobody answered. Nobody is called. */
export function CallPreviewSection({ request, hasChart = false }: Props) {
  const words = useWords().configurePreview;
  const { api } = useServices();
  const [at, setAt] = useState('');
  const body: CallPreviewRequest = { ...request, seconds: shownSeconds, ...(at !== '' && { at }) };
  const { data, error } = useQuery({
    queryKey: ['configured-preview', JSON.stringify(body)],
    queryFn: async () => (await api.post<Preview>('/call/preview', body)).data,
    retry: false,
    placeholderData: (previous) => previous,
  });
  const calls = planned(data?.calls ?? []);
  const [first] = calls;
  return (
    <section className="cfpreview" aria-label={words.title}>
      <h3>
        {words.title}
        <small>
          {words.nobodyCalled}{' '}
          <ApiCallButton call={{ method: 'POST', path: '/call/preview', body }} of={words.title} />
        </small>
      </h3>
      <label className="cf inline">
        <span>{words.at}</span>
        <span className="input sm">
          <input type="datetime-local" value={at} onChange={({ target }) => setAt(target.value)} />
        </span>
      </label>
      {error && (
        <p className="wrong" role="alert">
          {reasonOf(error)}
        </p>
      )}
      {data && data.reason !== '' && <p role="status">{words.reason(data.reason)}</p>}
      {first && hasChart && <CallChart calls={calls} />}
      {first && (
        <ol className={hasChart ? 'timeline withchart' : 'timeline'}>
          {calls.map((call, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same person may be called again at the same second.
            <PlannedLine key={index} call={call} since={first.at} />
          ))}
        </ol>
      )}
    </section>
  );
}
