import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallGroup, Channel, Station, User } from '@tocsin/contract';
import { useMemo, useState } from 'react';
import { useMeta } from '../services/queries.ts';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { currentTime } from '../time/current-time.ts';
import { type MadeCall, recordingSend, type Send } from './made-call.ts';
import { firstOpenStep, type StepName, stepAfter } from './steps.ts';

type Page<Item> = { readonly items: readonly Item[] };

/** What the installation has. */
export type Installation = {
  readonly me: User;
  readonly station: Station | undefined;
  readonly users: readonly User[];
  readonly channels: readonly Channel[];
  readonly callGroups: readonly CallGroup[];
};

const key = ['set-up'];
const most = { limit: 1_000 };

export function useInstallation(): Installation | undefined {
  const { api } = useServices();
  const id = useMeta()?.user.id;
  return useQuery({
    queryKey: [...key, id],
    queryFn: async () => {
      const list = async <Item>(path: string) => (await api.get<Page<Item>>(path, most)).data.items;
      return {
        me: (await api.get<User>(`/users/${id}`)).data,
        station: (await list<Station>('/stations'))[0],
        users: await list<User>('/users'),
        channels: await list<Channel>('/channels'),
        callGroups: await list<CallGroup>('/callgroups'),
      };
    },
    enabled: id !== undefined && id > 0,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** The path: the step that is shown, the requests it made, and what came of them. */
export function usePath(installation: Installation) {
  const { api } = useServices();
  const queries = useQueryClient();
  const [step, setStep] = useState<StepName>(() => firstStep(installation));
  const [made, setMade] = useState<readonly MadeCall[]>([]);
  const [doneAt, setDoneAt] = useState<Partial<Record<StepName, number>>>({});
  const [alarmId, setAlarmId] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const send: Send = useMemo(
    () => recordingSend(api, (call) => setMade((before) => [...before, call])),
    [api],
  );
  const show = (next: StepName) => {
    setStep(next);
    setMade([]);
    setFailure(undefined);
  };
  /** Runs the requests of a step. A refusal is told and the step stays. */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    setFailure(undefined);
    setIsBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(reasonOf(error));
      return false;
    } finally {
      setIsBusy(false);
      await queries.invalidateQueries({ queryKey: key });
      void queries.invalidateQueries({ queryKey: ['stations'] });
    }
  };
  const finish = () => {
    setDoneAt((before) => ({ ...before, [step]: currentTime() }));
    show(stepAfter(step));
  };
  return { step, made, doneAt, alarmId, setAlarmId, failure, isBusy, send, show, attempt, finish };
}

export type Path = ReturnType<typeof usePath>;

function firstStep({ me, station, channels, callGroups }: Installation): StepName {
  return firstOpenStep({
    station: station?.name,
    hasAddress: me.media.some(({ confirmed }) => confirmed !== undefined),
    channels: channels.length,
    callGroups: callGroups.length,
  });
}
