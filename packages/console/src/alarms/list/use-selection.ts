import { useCallback, useEffect, useRef, useState } from 'react';
import type { AlarmRow } from '../alarm-row.ts';

function toggled(before: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}

/** The row that has the focus, and the rows that are ticked. Actions go to the ticked ones, else to the focused one. */
export function useSelection() {
  const [focused, focus] = useState<number>();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  return {
    focused,
    selected,
    targets: selected.size > 0 ? [...selected] : focused === undefined ? [] : [focused],
    focus,
    toggle: useCallback((id: number) => setSelected((before) => toggled(before, id)), []),
    select: (ids: readonly number[]) => setSelected(new Set(ids)),
  };
}

/** When the row in focus leaves the list, the row that takes its place gets the focus. */
export function useFocusOfLostRow(
  shown: readonly AlarmRow[],
  focused: number | undefined,
  focus: (id: number | undefined) => void,
): void {
  const place = useRef(0);
  useEffect(() => {
    if (focused === undefined) return;
    const at = shown.findIndex(({ alarm }) => alarm.id === focused);
    if (at >= 0) place.current = at;
    else focus(shown[Math.min(place.current, shown.length - 1)]?.alarm.id);
  }, [shown, focused, focus]);
}
