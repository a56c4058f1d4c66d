import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@tocsin/contract';
import { useServices } from '../../services/services.ts';
import type { Page } from '../core/item-queries.ts';
import type { SettingsSearch } from '../settings-search.ts';

const hourMs = 3_600_000;

/** The query of the filters in the address; `now` is when the page was opened, so that the query stays the same. */
export function auditQuery({ actor, action, object, hours }: SettingsSearch, now: number, limit: number) {
  return {
    limit,
    actor,
    action,
    object,
    from: hours === undefined ? undefined : new Date(now - hours * hourMs).toISOString(),
  };
}

export function useTrail(query: ReturnType<typeof auditQuery>) {
  const { api } = useServices();
  return useQuery({
    queryKey: ['audit', query],
    queryFn: async () => (await api.get<Page<AuditEntry>>('/audit', query)).data,
    placeholderData: (previous) => previous,
    retry: false,
  });
}
