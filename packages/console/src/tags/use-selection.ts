import type { TagItem } from '@tocsin/contract';
import { useState } from 'react';

/** The selected tags, also those of other pages. Those on this page have the version that was read last. */
export function useSelection(shown: readonly TagItem[]) {
  const [kept, setKept] = useState<ReadonlyMap<number, TagItem>>(new Map());
  const current = new Map(shown.map((tag) => [tag.id, tag]));
  const select = (ids: readonly number[], isSelected: boolean) =>
    setKept((before) => {
      const after = new Map(before);
      for (const id of ids) {
        const tag = current.get(id);
        if (isSelected && tag) after.set(id, tag);
        else after.delete(id);
      }
      return after;
    });
  return {
    ids: new Set(kept.keys()),
    tags: [...kept.values()].map((tag) => current.get(tag.id) ?? tag),
    select,
    clear: () => setKept(new Map()),
  };
}
