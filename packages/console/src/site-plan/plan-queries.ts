import { useQuery } from '@tanstack/react-query';
import type { AlarmPlace, SitePlan } from '@tocsin/contract';
import { useEffect, useState } from 'react';
import type { ApiCall } from '../frame/curl.ts';
import { useMeta } from '../services/queries.ts';
import { useServices } from '../services/services.ts';

export const placeCall = (alarmId: number): ApiCall => ({ method: 'GET', path: `/alarms/${alarmId}/place` });

/** Where on a plan of its station an alarm is; empty if no plan shows it. `version` changes with the alarm. */
export function usePlace(alarmId: number, version: string): AlarmPlace | undefined {
  const { api } = useServices();
  const isAllowed = useMeta()?.user.permissions.includes('plant:read') ?? false;
  return useQuery({
    queryKey: ['place', alarmId, version],
    queryFn: async () => (await api.get<AlarmPlace>(placeCall(alarmId).path)).data,
    placeholderData: (previous, query) => (query?.queryKey[1] === alarmId ? previous : undefined),
    enabled: isAllowed,
  }).data;
}

/** The plan with all its positions. */
export function usePlan(id: number | undefined): SitePlan | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['plan', id],
    queryFn: async () => (await api.get<SitePlan>(`/plans/${id}`)).data,
    enabled: id !== undefined,
    staleTime: 60_000,
  }).data;
}

/** The address of an image of the media library. It is behind the token, so the page reads it and keeps a copy. */
export function useImage(id: number | undefined): string | undefined {
  const { session, basePath } = useServices();
  const [url, setUrl] = useState<string>();
  const { data } = useQuery({
    queryKey: ['image', id],
    queryFn: async () => {
      const authorization = `Bearer ${await session.accessToken()}`;
      const answer = await fetch(`${basePath}/api/v1/mediafiles/${id}/content`, {
        headers: { authorization },
      });
      if (!answer.ok) throw new Error(`The image was answered with ${answer.status}`);
      return answer.blob();
    },
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return url;
}
