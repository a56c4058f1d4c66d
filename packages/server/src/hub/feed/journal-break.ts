/** Where a journal was replaced: by a restored backup, or by a failover that lost entries. */
export type JournalBreak = {
  /** The last entry that both journals have. */
  readonly fork: number;
  /** The last entry of the new journal that connected clients got. */
  readonly newEnd: number;
  /** The last entry of the old journal that they had got. */
  readonly oldEnd: number;
};

/** Whether a position may belong to the old journal. */
export function mayPredateBreak({ fork, oldEnd }: JournalBreak, seq: number): boolean {
  return fork < seq && seq <= oldEnd;
}

/** Where a client resumes that names a position, so that it misses nothing of the new journal. */
export function positionAfterBreak(journalBreak: JournalBreak | undefined, seq: number): number {
  return journalBreak && mayPredateBreak(journalBreak, seq) && seq > journalBreak.newEnd
    ? journalBreak.fork
    : seq;
}

/** The breaks that this server has found, merged into one for each tenant. */
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
