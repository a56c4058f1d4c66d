import { useSyncExternalStore } from 'react';
import { useServices } from './services.ts';

export function useSessionState() {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, () => session.state);
}
