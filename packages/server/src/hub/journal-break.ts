/** Where a journal has become another one: the restore of a backup, or a failover that lost entries. */
export type JournalBreak = {
  /** The last entry that both have. */
  readonly fork: number;
  /** How far clients that were connected have been told of the new one. */
  readonly newEnd: number;
  /** How far they had been told of the old one. */
  readonly oldEnd: number;
};

/** Whether a place may be one of the journal that was. */
export function isDoubtful({ fork, oldEnd }: JournalBreak, seq: number): boolean {
  return fork < seq && seq <= oldEnd;
}

/** Where a client goes on that names a place: what it may not have been told of the new journal it is told. */
export function placeAfter(broken: JournalBreak | undefined, seq: number): number {
  return broken && isDoubtful(broken, seq) && seq > broken.newEnd ? broken.fork : seq;
}

/** The breaks that this server has noticed, one for each tenant. */
export class JournalBreaks {
  readonly #breaks = new Map<number, JournalBreak>();

  of(tenantId: number): JournalBreak | undefined {
    return this.#breaks.get(tenantId);
  }

  note(tenantId: number, { fork, newEnd, oldEnd }: JournalBreak): void {
    const before = this.#breaks.get(tenantId);
    this.#breaks.set(tenantId, {
      fork: Math.min(fork, before?.fork ?? fork),
      newEnd,
      oldEnd: Math.max(oldEnd, before?.oldEnd ?? oldEnd),
    });
  }
}
