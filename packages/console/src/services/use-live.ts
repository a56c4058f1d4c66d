import type { ConnectionState, LiveState } from '@tocsin/client';
import { useSyncExternalStore } from 'react';
import { useServices } from './services.ts';

/** The alarms, calls and connection as they are now. */
export function useLive(): LiveState {
  const { feed } = useServices();
  return useSyncExternalStore(feed.subscribe, feed.getSnapshot);
}

/** The state of the connection. Unlike with `useLive`, a component that reads it is drawn only when it changes. */
export function useConnection(): ConnectionState {
  const { feed } = useServices();
  return useSyncExternalStore(feed.subscribe, () => feed.getSnapshot().connection);
}

/** Whether actions reach the server; without a connection the desk disables them. */
export function useIsOnline(): boolean {
  const connection = useConnection();
  return connection === 'live' || connection === 'late';
}
