import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../services/services.ts';
import { usePhone } from './phone-context.tsx';
import { createPushAddress, type PushAddress, type PushState } from './push-address.ts';

export type Push = Omit<PushAddress, 'readState'> & { readonly state: PushState | undefined };

/** Messages of this browser. After each change the state is read again. */
export function usePush(): Push {
  const { api, basePath } = useServices();
  const { user } = usePhone();
  const queries = useQueryClient();
  const queryKey = ['push', user.id];
  const address = useMemo(
    () => createPushAddress({ api, userId: user.id, scope: `${basePath}/m` }),
    [api, user.id, basePath],
  );
  const { data: state } = useQuery({
    queryKey,
    queryFn: address.readState,
    enabled: user.id > 0,
    retry: false,
  });
  const thenRead = async (task: Promise<void>) => {
    try {
      await task;
    } finally {
      await queries.invalidateQueries({ queryKey });
    }
  };
  return {
    state,
    start: () => thenRead(address.start()),
    stop: () => thenRead(address.stop()),
    confirm: (code) => thenRead(address.confirm(code)),
  };
}
