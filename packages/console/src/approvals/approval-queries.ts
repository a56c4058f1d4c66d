import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Approval } from '@tocsin/contract';
import { useMeta } from '../services/queries.ts';
import { useServices } from '../services/services.ts';

export const approvalsPath = '/approvals';
const queryKey = ['approvals'];
const readAgainMs = 15_000;
const most = 100;

/** What waits for a second person or did, newest first; undefined until it is read. */
export function useApprovals(): readonly Approval[] | undefined {
  const { api } = useServices();
  const isPerson = (useMeta()?.user.id ?? 0) > 0;
  return useQuery({
    queryKey,
    queryFn: async () =>
      (await api.get<{ items: Approval[] }>(approvalsPath, { limit: most, sort: '-id' })).data.items,
    refetchInterval: readAgainMs,
    retry: false,
    enabled: isPerson,
  }).data;
}

/** How many requests of others wait for this user. */
export function useWaitingForMe(): number {
  const ownId = useMeta()?.user.id;
  const approvals = useApprovals();
  return approvals?.filter((each) => each.state === 'Waiting' && each.requestedById !== ownId).length ?? 0;
}

export function useReadApprovalsAgain(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey });
}
