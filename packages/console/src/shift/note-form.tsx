import type { ApiAnswer } from '@tocsin/client';
import type { ShiftNote } from '@tocsin/contract';
import { type ReactNode, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { useMeta } from '../services/queries.ts';
import { useIsOnline } from '../services/use-live.ts';
import { useWords } from '../words/use-words.ts';
import { type NoteText, useNoteChanges } from './note-changes.ts';
import type { Asked } from './shift-queries.ts';
import { SignatureBoxes } from './signature-boxes.tsx';
import { useAttempt } from './use-attempt.ts';

type Props = {
  /** The note that is being written; undefined before it was saved once. */
  readonly before: ApiAnswer<ShiftNote> | undefined;
  readonly asked: Asked;
  readonly now: number;
  /** Called with the number of the note when its first version is saved here. */
  readonly onBegun: (id: number) => void;
  readonly children: ReactNode;
};

/** The outgoing shift writes what the next one must know, and signs it. */
export function NoteForm({ before, asked, now, onBegun, children }: Props) {
  const words = useWords().shift;
  const name = useMeta()?.user.name ?? '';
  const draft = useDraft(before);
  const { base, text } = draft;
  const { save, sign, failure } = useHandOver(base, asked, now);
  const keep: Keep = (saved) => {
    draft.keep(saved);
    if (base === undefined) onBegun(saved.data.id);
  };
  const canSend = useIsOnline() && text.trim() !== '';
  return (
    <>
      <div className="scroll">
        <section className="hand">
          <SignatureBoxes
            from={{ name, signature: undefined }}
            to={{ name: words.nextShift, signature: undefined }}
            now={now}
          />
          <Said text={text} author={base?.data.author} onChange={draft.setText} />
          {failure !== undefined && (
            <p className="wrong" role="alert">
              {failure}
            </p>
          )}
          {draft.newer && <Newer answer={draft.newer} onUse={draft.takeNewer} />}
        </section>
        {children}
      </div>
      <footer className="noprint">
        <Button
          label={words.saveNote}
          kind="ghost"
          disabled={!canSend || text === base?.data.text}
          onClick={() => void save(text, keep)}
        />
        <span className="fill" />
        <Button
          label={words.handsOver(name)}
          icon="arrow-left-right"
          kind="primary"
          disabled={!canSend}
          onClick={() => void sign(text, keep)}
        />
      </footer>
    </>
  );
}

/** The text with the version that it began with. A newer one is shown, and never overwritten unread. */
function useDraft(before: Props['before']) {
  const [base, setBase] = useState(before);
  const [text, setText] = useState(before?.data.text ?? '');
  const newer = before && base && before.etag !== base.etag ? before : undefined;
  const takeNewer = () => {
    if (!newer) return;
    setBase(newer);
    setText(newer.data.text);
  };
  return { base, text, setText, keep: setBase, newer, takeNewer };
}

type SaidProps = {
  readonly text: string;
  readonly author: string | undefined;
  readonly onChange: (text: string) => void;
};

function Said({ text, author, onChange }: SaidProps) {
  const words = useWords().shift;
  return (
    <label className="fld">
      <span>
        <span>{words.said}</span> {author !== undefined && <em>{words.writtenBy(author)}</em>}
      </span>
      <textarea
        className="area-in"
        rows={8}
        maxLength={8_192}
        placeholder={words.saidHint}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

type NewerProps = { readonly answer: ApiAnswer<ShiftNote>; readonly onUse: () => void };

/** What somebody else has made of the note meanwhile. */
function Newer({ answer: { data }, onUse }: NewerProps) {
  const words = useWords().shift;
  return (
    <div className="newer" role="status">
      <b>{words.newer(data.author)}</b>
      <p className="notetext">{data.text}</p>
      <Button label={words.takeNewer} kind="sm" onClick={onUse} />
    </div>
  );
}

type Keep = (saved: ApiAnswer<ShiftNote>) => void;

/** Saves the note for the time of the sheet until now, and signs what was saved. */
function useHandOver(before: Props['before'], asked: Asked, now: number) {
  const words = useWords().shift;
  const user = useMeta()?.user;
  const changes = useNoteChanges();
  const { attempt, failure } = useAttempt();
  // Who is limited to stations writes for one of them.
  const stationId = before?.data.stationId ?? asked.stationId ?? user?.stationIds[0] ?? 0;
  const noteOf = (text: string): NoteText => ({
    stationId,
    from: before ? Date.parse(before.data.from) : asked.from,
    to: now,
    text: text.trim(),
  });
  return {
    failure,
    save: (text: string, keep: Keep) =>
      attempt(words.saveNote, async () => keep(await changes.save(noteOf(text), before))),
    sign: (text: string, keep: Keep) =>
      attempt(words.handOver, async () => {
        const saved = await changes.save(noteOf(text), before);
        // If the signature fails, the form goes on with the saved note and tells it.
        keep(saved);
        await changes.sign(saved, 'outgoing');
      }),
  };
}
