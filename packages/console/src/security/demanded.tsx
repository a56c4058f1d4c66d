import { lazy, Suspense } from 'react';
import { useDemands } from '../services/use-demands.ts';
import { useSharedDesk } from '../services/use-shared-desk.ts';

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

const QuickSwitch = lazy(async () => ({
  default: (await import('../shared-desk/quick-switch.tsx')).QuickSwitch,
}));

/** What the server asks of the user in answer to a request. It is loaded only then. */
export function Demanded() {
  const { isConfirming } = useDemands();
  const { isAsking } = useSharedDesk();
  return (
    <Suspense>
      {isConfirming && <ConfirmDialog />}
      {isAsking && <QuickSwitch />}
    </Suspense>
  );
}
