import type { HubCall } from '@tocsin/signalr';

/** Something that clients may ask to be told besides alarms: what became of a call, or a sound to play. */
export type Tiding = {
  readonly id: number;
  /** The transaction that wrote it. */
  readonly writtenBy: number;
  /** Null for what belongs to all stations. */
  readonly stationId: number | null;
  readonly call: HubCall & { readonly target: 'onCallChanged' | 'onPlaySound' };
};

/** How far a tenant's tidings were read. */
export type TidingsPlace = {
  /** Those of earlier transactions are all known. */
  since: number;
  /** Of the others, those that are known already: by number, who wrote them. */
  known: ReadonlyMap<number, number>;
};

export type TidingsPage = {
  readonly tidings: readonly Tiding[];
  readonly next: TidingsPlace;
  /** Whether there may be more at once. */
  readonly isFull: boolean;
};

/** The place after a page; `oldest` is the oldest transaction that may still have something to show. */
export function placeAfter(
  { known }: TidingsPlace,
  page: readonly Pick<Tiding, 'id' | 'writtenBy'>[],
  { oldest, isFull }: { oldest: number; isFull: boolean },
): TidingsPlace {
  const last = page.at(-1)?.writtenBy ?? oldest;
  // In the order of transactions: when there is more, it begins with what the last one wrote.
  const since = isFull ? Math.min(oldest, last) : oldest;
  const all = [...known, ...page.map(({ id, writtenBy }) => [id, writtenBy] as const)];
  return { since, known: new Map(all.filter(([, writtenBy]) => writtenBy >= since)) };
}
