import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@tocsin/contract';
import { useCallback } from 'react';
import { useMeta } from '../services/queries.ts';
import { randomKey } from '../services/random-key.ts';
import { useServices } from '../services/services.ts';
import { currentTime } from '../time/current-time.ts';
import { deskName } from './desk-name.ts';
import type { Silence } from './sounding.ts';

const mostAlarms = 500;
const keptMs = 600_000;
const none: readonly Silence[] = [];

function silenceOf({ time, actor, object, after }: AuditEntry): Silence {
  const { alarmIds = [] } = (after ?? {}) as { alarmIds?: readonly number[] };
  return { at: Date.parse(time), user: actor.name, desk: object.id, alarmIds };
}

/** Records that the horn of this desk was silenced. Without the right to act the horn is silent all the same. */
export function useRecordSilence(): (alarmIds: readonly number[]) => void {
  const { api } = useServices();
  const mayAct = useMeta()?.user.permissions.includes('alarms:act') ?? false;
  return useCallback(
    (alarmIds) => {
      if (!mayAct || alarmIds.length === 0) return;
      const body = { alarmIds: alarmIds.slice(0, mostAlarms), desk: deskName() };
      void api.post('/console/silences', body, { idempotencyKey: randomKey() }).catch(() => undefined);
    },
    [api, mayAct],
  );
}

/** The silences of other desks of the last minutes, for users who may read the audit trail, where they are recorded. */
export function useSilencesOfOthers(isWanted: boolean): readonly Silence[] {
  const { api } = useServices();
  const mayRead = useMeta()?.user.permissions.includes('audit:read') ?? false;
  const { data } = useQuery({
    queryKey: ['silences'],
    queryFn: async () => {
      const from = new Date(currentTime() - keptMs).toISOString();
      const query = { action: 'desk.silence', from, sort: '-id', limit: 50 };
      const { items } = (await api.get<{ items: AuditEntry[] }>('/audit', query)).data;
      return items.map(silenceOf).filter(({ desk }) => desk !== deskName());
    },
    enabled: mayRead && isWanted,
    refetchInterval: 5_000,
  });
  return data ?? none;
}
