import type { ShiftNote } from '@tocsin/contract';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { Section } from './section.tsx';

type Props = { readonly notes: readonly ShiftNote[]; readonly now: number };

/** What was said at the hand-overs of the period. */
export function NotesSection({ notes, now }: Props) {
  const words = useWords().shift;
  return (
    <Section title={words.notes} items={notes} most={3} none={words.notesNone}>
      {(note) => <NoteLine key={note.id} note={note} now={now} />}
    </Section>
  );
}

function NoteLine({ note, now }: { readonly note: ShiftNote; readonly now: number }) {
  return (
    <li className="noteline">
      <p className="notetext">{note.text}</p>
      <Names note={note} now={now} />
    </li>
  );
}

/** The two names under a note, and who is missing. */
export function Names({ note: { author, outgoing, incoming }, now }: Parameters<typeof NoteLine>[0]) {
  const words = useWords().shift;
  const time = useSiteTime();
  const at = (text: string) => time.when(Date.parse(text), now);
  return (
    <small>
      {outgoing ? words.handedOverBy(outgoing.user, at(outgoing.time)) : words.writtenBy(author)}
      {', '}
      {incoming ? words.takenOverBy(incoming.user, at(incoming.time)) : words.notTakenOver}
    </small>
  );
}
