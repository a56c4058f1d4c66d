export type Happening =
  | { kind: 'raise'; transitory: boolean; reactivatable: boolean }
  | { kind: 'acknowledge' }
  | { kind: 'reset'; autoAcknowledge: boolean }
  | { kind: 'mask' }
  | { kind: 'unmask' };

/** Times are positions in the story. */
export type Entry = { raised: number; acknowledged?: number; reset?: number };

/** An alarm told without bits: what a person would write down about it. */
export type LogBook = { active: boolean; acknowledged: boolean; masked: boolean; entries: Entry[] };

export function newLogBook(): LogBook {
  return { active: false, acknowledged: true, masked: false, entries: [] };
}

export function writeDown(book: LogBook, happening: Happening, now: number): void {
  switch (happening.kind) {
    case 'raise':
      return writeRaise(book, happening, now);
    case 'acknowledge':
      return writeAcknowledgment(book, now);
    case 'reset':
      return writeReset(book, happening, now);
    case 'mask':
      book.masked = true;
      return;
    case 'unmask':
      book.masked = false;
  }
}

function writeRaise(
  book: LogBook,
  event: { transitory: boolean; reactivatable: boolean },
  now: number,
): void {
  if (book.active) {
    if (!book.acknowledged || !event.reactivatable) return;
    writeReset(book, { autoAcknowledge: false }, now);
  }
  book.entries.push({ raised: now });
  book.active = true;
  book.acknowledged = false;
  if (event.transitory) writeReset(book, { autoAcknowledge: false }, now);
}

function writeAcknowledgment(book: LogBook, now: number): void {
  const last = book.entries.at(-1);
  if (!last || book.acknowledged) return;
  last.acknowledged = now;
  book.acknowledged = true;
}

function writeReset(book: LogBook, { autoAcknowledge }: { autoAcknowledge: boolean }, now: number): void {
  const last = book.entries.at(-1);
  if (!last || !book.active) return;
  last.reset = now;
  book.active = false;
  if (autoAcknowledge) writeAcknowledgment(book, now);
}
