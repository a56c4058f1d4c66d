import { Link } from '@tanstack/react-router';
import type { ShiftNote } from '@tocsin/contract';
import { useState } from 'react';
import { useMay } from '../services/use-may.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { handOverOf } from './hand-over.ts';
import { useNote } from './note-changes.ts';
import { NoteForm } from './note-form.tsx';
import { Names } from './notes-section.tsx';
import type { Asked } from './shift-queries.ts';
import { TakeOver } from './take-over.tsx';

type Props = {
  readonly notes: readonly ShiftNote[];
  readonly asked: Asked;
  readonly open: number;
  readonly now: number;
};

/** The hand-over: the outgoing shift writes and signs, then somebody else takes over and signs. */
export function HandOverPanel({ notes, asked, open, now }: Props) {
  const words = useWords().shift;
  const handOver = handOverOf(notes);
  return (
    <aside className="panel" aria-label={words.handOver}>
      <div className="phead">
        <span>
          <h2>{words.handOver}</h2>
          <p>{words.handOverLead}</p>
        </span>
      </div>
      <Step note={handOver.open} asked={asked} open={open} now={now}>
        {handOver.last && <LastHandOver note={handOver.last} now={now} />}
      </Step>
    </aside>
  );
}

type StepProps = Omit<Props, 'notes'> & {
  readonly note: ShiftNote | undefined;
  readonly children: React.ReactNode;
};

function Step({ note, asked, open, now, children }: StepProps) {
  const words = useWords().shift;
  const answer = useNote(note?.id);
  const mayAct = useMay().has('alarms:act');
  // A form that has just saved its first version goes on, because somebody may be writing in it.
  const [begunId, setBegunId] = useState<number>();
  const isBegunHere = note !== undefined && note.id === begunId;
  if (note && !answer && !isBegunHere) return null;
  if (note?.outgoing && answer)
    return (
      <TakeOver answer={answer} open={open} now={now}>
        {children}
      </TakeOver>
    );
  if (mayAct)
    return (
      <NoteForm
        key={note && !isBegunHere ? note.id : 0}
        before={answer}
        asked={asked}
        now={now}
        onBegun={setBegunId}
      >
        {children}
      </NoteForm>
    );
  return (
    <div className="scroll">
      <section>
        <p className="fine2">
          <Icon name="lock" size={15} />
          <span>{words.readOnly}</span>
        </p>
      </section>
      {children}
    </div>
  );
}

/** What the shift before has said, for those who are here now. */
function LastHandOver({ note, now }: { readonly note: ShiftNote; readonly now: number }) {
  const words = useWords().shift;
  return (
    <section className="lasthand">
      <h3>{words.lastHandOver}</h3>
      <p className="notetext">{note.text}</p>
      <Names note={note} now={now} />
      <p className="noprint">
        <Link className="lnk" to="/shift" search={{ from: note.from, to: note.to }}>
          {words.itsSheet}
        </Link>
      </p>
    </section>
  );
}
