import { useQuery } from '@tanstack/react-query';
import type { SitePlan } from '@tocsin/contract';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { useServices } from '../../services/services.ts';
import { useImage } from '../../site-plan/plan-queries.ts';
import { useWords } from '../../words/use-words.ts';
import type { Page } from '../core/item-queries.ts';

/** The site plans of a station, with the number of places on each. */
export function StationPlans({ stationId }: { readonly stationId: number }) {
  const words = useWords().configureStation;
  const { api } = useServices();
  const path = `/stations/${stationId}/plans`;
  const { data } = useQuery({
    queryKey: ['configured-plans', stationId],
    queryFn: async () => (await api.get<Page<SitePlan>>(path, { limit: 100 })).data.items,
  });
  return (
    <section aria-label={words.plans}>
      <h3>
        {words.plans}
        <small>
          <ApiCallButton call={{ method: 'GET', path }} of={words.plans} />
        </small>
      </h3>
      {data?.length === 0 && <p className="muted">{words.noPlans}</p>}
      <ul className="planlist">
        {data?.map((plan) => (
          <Plan key={plan.id} plan={plan} />
        ))}
      </ul>
    </section>
  );
}

function Plan({ plan }: { readonly plan: SitePlan }) {
  const words = useWords().configureStation;
  const url = useImage(plan.imageId);
  return (
    <li>
      <span>
        <b>{plan.name}</b>
        <small>{words.places(plan.positions.length)}</small>
      </span>
      {url !== undefined && (
        <a href={url} target="_blank" rel="noreferrer">
          <img src={url} alt={words.openPlan(plan.name)} width={plan.width} height={plan.height} />
        </a>
      )}
    </li>
  );
}
