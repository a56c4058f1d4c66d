import { useSyncExternalStore } from 'react';
import { useServices } from './services.ts';
import type { DeskState } from './shared-desk.ts';

export function useSharedDesk(): DeskState {
  const { desk } = useServices();
  return useSyncExternalStore(desk.subscribe, desk.getSnapshot);
}
