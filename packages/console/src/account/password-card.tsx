import { type FormEvent, useRef } from 'react';
import { Button } from '../frame/button.tsx';
import { Card } from '../frame/card.tsx';
import { useServices } from '../services/services.ts';
import { formText } from '../sign-in/form-text.ts';
import { useWords } from '../words/use-words.ts';
import { Told } from './told.tsx';
import { useChange } from './use-change.ts';

/** A new password. All other sessions of the user end with it. */
export function PasswordCard({ userId }: { readonly userId: number }) {
  const words = useWords().account;
  const { api } = useServices();
  const { change, told, isBusy } = useChange();
  const form = useRef<HTMLFormElement>(null);
  const path = `/users/${userId}/password`;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const body = { currentPassword: formText(given, 'current'), password: formText(given, 'next') };
    if (await change(words.passwordChanged, () => api.put(path, body))) form.current?.reset();
  };
  const example = { currentPassword: '…', password: '…' };
  return (
    <Card title={words.password} call={{ method: 'PUT', path, body: example }}>
      <form ref={form} className="in fields" onSubmit={(event) => void submit(event)}>
        <label className="fld">
          <span>{words.currentPassword}</span>
          <span className="input">
            <input name="current" type="password" autoComplete="current-password" required />
          </span>
        </label>
        <label className="fld">
          <span>
            {words.newPassword} <em>{words.passwordHint}</em>
          </span>
          <span className="input">
            <input name="next" type="password" autoComplete="new-password" minLength={12} required />
          </span>
        </label>
        <Button label={words.changePassword} type="submit" disabled={isBusy} />
        <Told told={told} />
      </form>
    </Card>
  );
}
