export type AlarmAction =
  | { kind: 'raise'; transitory: boolean; reactivatable: boolean }
  | { kind: 'acknowledge' }
  | { kind: 'reset'; autoAcknowledge: boolean }
  | { kind: 'mask' }
  | { kind: 'unmask' };

/** Times are positions in the sequence of actions. */
export type Entry = { raised: number; acknowledged?: number; reset?: number };

/** A reference model of an alarm without state bits. */
export type LogBook = { active: boolean; acknowledged: boolean; masked: boolean; entries: Entry[] };

export function newLogBook(): LogBook {
  return { active: false, acknowledged: true, masked: false, entries: [] };
}

export function writeDown(book: LogBook, action: AlarmAction, now: number): void {
  switch (action.kind) {
    case 'raise':
      return writeRaise(book, action, now);
    case 'acknowledge':
      return writeAcknowledgment(book, now);
    case 'reset':
      return writeReset(book, action, now);
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
