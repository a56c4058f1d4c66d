import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CallHistory } from '@tocsin/contract';
import { useMemo } from 'react';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { useServices } from '../services/services.ts';
import { useLive } from '../services/use-live.ts';
import { type OwnCall, ownCalls } from './own-calls.ts';
import { usePhone } from './phone-context.tsx';
import { readRemembered } from './remembered.ts';

const most = 50;
const none: readonly never[] = [];

/** Attempts to reach this person, the newest first; read again when a call of theirs changes. */
function useOwnAttempts(userId: number): readonly CallHistory[] {
  const { api } = useServices();
  const { calls } = useLive();
  const ownIds = [...calls.values()].map(({ id, attempts }) =>
    [id, ...attempts.filter((one) => one.userId === userId).map((one) => one.id)].join(' '),
  );
  const version = ownIds.join(',');
  return (
    useQuery({
      queryKey: ['own-attempts', userId, version],
      queryFn: async () =>
        (
          await api.get<{ items: CallHistory[] }>('/call/histories', {
            userId,
            sort: '-id',
            limit: most,
          })
        ).data.items,
      enabled: userId > 0,
      placeholderData: keepPreviousData,
      gcTime: 10_000,
    }).data ?? none
  );
}

/** The calls that wait for an answer. Before the first connection those that the phone has kept. */
export function useOwnCalls(): readonly OwnCall[] {
  const { user } = usePhone();
  const { calls, connection, lastHeard } = useLive();
  const { byId } = useAlarms();
  const attempts = useOwnAttempts(user.id);
  const live = useMemo(
    () => ownCalls({ userId: user.id, calls: calls.values(), rows: byId, attempts }),
    [user.id, calls, byId, attempts],
  );
  const isFirst = lastHeard === undefined || connection === 'connecting';
  return useMemo(() => (isFirst ? (readRemembered()?.calls ?? none) : live), [isFirst, live]);
}
