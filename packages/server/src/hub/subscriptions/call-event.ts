import type { HubInvocation } from '@tocsin/signalr';

/** A change of a call, or a sound to play. Clients get them only if they ask. */
export type CallEvent = {
  readonly id: number;
  /** The transaction that wrote it. */
  readonly transactionId: number;
  /** Null for all stations. */
  readonly stationId: number | null;
  readonly call: HubInvocation & { readonly target: 'onCallChanged' | 'onPlaySound' };
};

/** How far a tenant's call events were read. Transactions do not commit in the order of their numbers. */
export type CallEventsPosition = {
  /** The call events of all earlier transactions were read. */
  since: number;
  /** Call events of later transactions that were read already: id to transaction. */
  known: ReadonlyMap<number, number>;
};

export type CallEventsPage = {
  readonly callEvents: readonly CallEvent[];
  readonly next: CallEventsPosition;
  /** Whether more may follow at once. */
  readonly isFull: boolean;
};

/** The position after a page; `oldest` is the oldest transaction that may still commit. */
export function positionAfter(
  { known }: CallEventsPosition,
  page: readonly Pick<CallEvent, 'id' | 'transactionId'>[],
  { oldest, isFull }: { oldest: number; isFull: boolean },
): CallEventsPosition {
  const last = page.at(-1)?.transactionId ?? oldest;
  // Pages are in the order of transactions, so the next page starts with the last transaction of this one.
  const since = isFull ? Math.min(oldest, last) : oldest;
  const all = [...known, ...page.map(({ id, transactionId }) => [id, transactionId] as const)];
  return { since, known: new Map(all.filter(([, transactionId]) => transactionId >= since)) };
}
