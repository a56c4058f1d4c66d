import { type FormEvent, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { useWords } from '../words/use-words.ts';
import type { OwnCall } from './own-calls.ts';
import { usePhone } from './phone-context.tsx';
import type { Answers } from './use-answers.ts';

type Props = { readonly call: OwnCall; readonly answers: Answers; readonly onClose: () => void };

/** Gives the alarm to the next person with a note, which they read on their card. */
export function GiveSheet({ call, answers, onClose }: Props) {
  const words = useWords().phone;
  const { isOnline } = usePhone();
  const [note, setNote] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    await answers.refuse(call, note.trim());
    onClose();
  };
  return (
    <form className="mform" onSubmit={(event) => void submit(event)}>
      <main className="mbody">
        <h1 className="mtitle">{words.giveTitle}</h1>
        <p>
          <b>{call.message}</b>
        </p>
        <p className="mnote">{words.giveLead}</p>
        <div className="mreasons">
          {Object.values(words.giveReasons).map((reason) => (
            <Button
              key={reason}
              label={reason}
              kind="huge2 full"
              aria-pressed={note === reason}
              onClick={() => setNote(reason)}
            />
          ))}
        </div>
        <label className="fld">
          <span>{words.giveNote}</span>
          <textarea
            className="area-in"
            rows={3}
            maxLength={500}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </label>
      </main>
      <section className="mact" aria-label={words.answers}>
        <Button
          label={words.giveGo}
          icon="phone-outgoing"
          kind="primary huge"
          type="submit"
          disabled={isBusy || !isOnline}
        />
        <Button label={words.back} kind="huge2 full" onClick={onClose} />
      </section>
    </form>
  );
}
