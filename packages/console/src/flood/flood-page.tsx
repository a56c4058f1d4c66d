import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { StaleBar } from '../alarms/list/list-bars.tsx';
import { isTyped, keyOf } from '../keys/key-of.ts';
import { useSingleKeys } from '../keys/single-keys.tsx';
import { useNow } from '../time/use-now.ts';
import { FloodGrid } from './flood-grid.tsx';
import { FloodHead } from './flood-head.tsx';
import { FloodList } from './flood-list.tsx';
import { type ColumnWidth, fittingWidth, windowStart } from './lanes.ts';
import { type Flood, useFlood } from './use-flood.ts';

type Frozen = { readonly flood: Flood; readonly now: number };

/** Many alarms at once, by area and time, so that the first one can be found. */
export function FloodPage() {
  const navigate = useNavigate();
  const clock = useNow();
  const live = useFlood(clock);
  const [frozen, setFrozen] = useState<Frozen>();
  const [area, setArea] = useState<string>();
  const [chosenWidth, setChosenWidth] = useState<ColumnWidth>();
  const { flood, now } = frozen ?? { flood: live, now: clock };

  const first = flood.events[0]?.at ?? now;
  const width = chosenWidth ?? fittingWidth(first, now);
  const back = () => void navigate({ to: '/', search: {} });
  const freeze = () => setFrozen((before) => (before ? undefined : { flood: live, now: clock }));
  usePageKeys({ Escape: back, z: freeze });

  return (
    <main className="floodpage">
      <div>
        <StaleBar />
        <FloodHead
          flood={flood}
          now={now}
          width={width}
          isFrozen={frozen !== undefined}
          onWidth={setChosenWidth}
          onFreeze={freeze}
          onBack={back}
        />
      </div>
      <FloodGrid
        events={flood.events}
        start={windowStart(first, now, width)}
        width={width}
        chosen={area}
        onChoose={(key) => setArea((before) => (before === key ? undefined : key))}
      />
      <FloodList events={flood.events} area={area} onAll={() => setArea(undefined)} />
    </main>
  );
}

/** Keys of the whole page. They are not for text that is typed, and a dialog has its own Escape. */
function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const isSingle = useSingleKeys();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = keyOf(event, isSingle);
      if (key !== undefined && !isTyped(event)) keys[key]?.();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  });
}
