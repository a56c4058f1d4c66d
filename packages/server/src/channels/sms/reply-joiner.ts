/** A part of a reply. `total` is 1 for a reply of one part. */
export type ReplyPart = {
  readonly from: string;
  readonly reference: number;
  readonly total: number;
  readonly number: number;
  readonly text: string;
};

export type ReplyJoiner = {
  /** Adds a part. Resolves when the whole reply is stored, or at once if parts are missing. */
  add(part: ReplyPart): Promise<void>;
  close(): void;
};

type Incomplete = { readonly parts: Map<number, string>; readonly timer: NodeJS.Timeout };

const maxIncomplete = 100;
const maxParts = 10;

/**
 * Joins the parts of long replies. After `waitMs` an incomplete reply is stored as it is, because its code may be in
 * the part that came. A part that does not fit in is stored as a reply of its own.
 */
export function createReplyJoiner(
  store: (from: string, text: string) => Promise<void>,
  waitMs: number,
): ReplyJoiner {
  const incomplete = new Map<string, Incomplete>();

  const open = (key: string, from: string): Incomplete => {
    const flush = () => {
      incomplete.delete(key);
      // Nobody waits for it; the person would answer again.
      store(from, joined(entry.parts)).catch(() => undefined);
    };
    const entry = { parts: new Map<number, string>(), timer: setTimeout(flush, waitMs).unref() };
    incomplete.set(key, entry);
    return entry;
  };

  return {
    add: async ({ from, reference, total, number, text }) => {
      const key = `${from} ${reference} ${total}`;
      const known = incomplete.get(key);
      const isFull = known === undefined && incomplete.size >= maxIncomplete;
      if (total < 2 || total > maxParts || isFull) return await store(from, text);
      const entry = known ?? open(key, from);
      entry.parts.set(number, text);
      if (entry.parts.size < total) return;
      // Forgotten only when it is stored: the provider repeats the last part otherwise.
      await store(from, joined(entry.parts));
      clearTimeout(entry.timer);
      incomplete.delete(key);
    },
    close: () => {
      for (const { timer } of incomplete.values()) clearTimeout(timer);
      incomplete.clear();
    },
  };
}

function joined(parts: ReadonlyMap<number, string>): string {
  return [...parts]
    .toSorted(([one], [other]) => one - other)
    .map(([, text]) => text)
    .join('');
}
