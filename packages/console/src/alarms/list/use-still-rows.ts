import { useEffect, useRef, useState } from 'react';
import type { AlarmRow } from '../alarm-row.ts';
import { emptyList, nextStillList, type StillList } from './still-list.ts';

type Options = {
  /** Whether somebody reads, or has frozen the list. */
  readonly isStill: boolean;
  /** Another key is another list: nobody has read it yet. */
  readonly key: string;
  /** All alarms, also those that the list does not show. */
  readonly current: ReadonlyMap<number, AlarmRow>;
};

/** The rows as they are shown, which stand still while somebody reads. */
export function useStillRows(sorted: readonly AlarmRow[], { isStill, key, current }: Options) {
  const [list, setList] = useState<StillList>(emptyList);
  const shownFor = useRef(key);
  useEffect(() => {
    const isOther = shownFor.current !== key;
    shownFor.current = key;
    setList((before) => nextStillList(before, sorted, isStill && !isOther, current));
  }, [sorted, isStill, key, current]);
  return { ...list, release: () => setList({ shown: sorted, held: [] }) };
}
