import { useSyncExternalStore } from 'react';
import type { DemandState } from './demands.ts';
import { useServices } from './services.ts';

export function useDemands(): DemandState {
  const { demands } = useServices();
  return useSyncExternalStore(demands.subscribe, demands.getSnapshot);
}
