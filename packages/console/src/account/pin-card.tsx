import { type FormEvent, useRef } from 'react';
import { Button } from '../frame/button.tsx';
import { Card } from '../frame/card.tsx';
import { useServices } from '../services/services.ts';
import { formText } from '../sign-in/form-text.ts';
import { useWords } from '../words/use-words.ts';
import { Told } from './told.tsx';
import { useChange } from './use-change.ts';

/** The digits that the user presses on the telephone, where the plant asks for them. */
export function PinCard({ userId }: { readonly userId: number }) {
  const words = useWords().account;
  const { api } = useServices();
  const { change, told, isBusy } = useChange();
  const form = useRef<HTMLFormElement>(null);
  const path = `/users/${userId}/pin`;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pin = formText(new FormData(event.currentTarget), 'pin');
    if (await change(words.pinSaved, () => api.put(path, { pin }))) form.current?.reset();
  };
  const remove = () => change(words.pinRemoved, () => api.remove(path));
  return (
    <Card title={words.pin} call={{ method: 'PUT', path, body: { pin: '…' } }}>
      <form ref={form} className="in fields" onSubmit={(event) => void submit(event)}>
        <p className="muted">{words.pinLead}</p>
        <label className="fld">
          <span>
            {words.newPin} <em>{words.pinHint}</em>
          </span>
          <span className="input">
            <input
              name="pin"
              type="password"
              inputMode="numeric"
              pattern="[0-9]{4,8}"
              autoComplete="off"
              required
            />
          </span>
        </label>
        <span className="buttons">
          <Button label={words.savePin} type="submit" disabled={isBusy} />
          <Button label={words.removePin} kind="ghost" disabled={isBusy} onClick={() => void remove()} />
        </span>
        <Told told={told} />
      </form>
    </Card>
  );
}
