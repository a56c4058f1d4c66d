import { type RefObject, useEffect, useState } from 'react';

/** A function that focuses a slot by its day and its begin, after the grid was drawn again. */
export function useFocusSlot(grid: RefObject<HTMLElement | null>): (day: number, from: number) => void {
  const [wanted, setWanted] = useState<string>();
  useEffect(() => {
    if (wanted === undefined) return;
    grid.current?.querySelector<HTMLElement>(`[data-slot="${wanted}"]`)?.focus();
    setWanted(undefined);
  }, [wanted, grid]);
  return (day, from) => setWanted(`${day} ${from}`);
}
