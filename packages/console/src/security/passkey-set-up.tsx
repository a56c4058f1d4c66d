import type { RecoveryCodes, WebAuthnJson } from '@tocsin/contract';
import { useState } from 'react';
import { deviceName } from '../account/device-name.ts';
import { Button } from '../frame/button.tsx';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import { hasPasskeys, makePasskey } from './passkeys.ts';
import { useAttempt } from './use-attempt.ts';
import { Wrong } from './wrong.tsx';

type Props = {
  readonly userId: number;
  /** With new recovery codes; without any if the user has some already. */
  readonly onDone: (codes: readonly string[]) => void;
};

/** Makes a passkey with a name that its owner recognizes later. */
export function PasskeySetUp({ userId, onDone }: Props) {
  const words = useWords().signInSteps;
  const { api } = useServices();
  const [name, setName] = useState(deviceName(navigator.userAgent));
  const { attempt, failure, isBusy } = useAttempt();
  const path = `/users/${userId}/passkeys`;
  const add = () =>
    attempt(async () => {
      const { data: options } = await api.post<WebAuthnJson>(`${path}/options`);
      const response = await makePasskey(options);
      const { data } = await api.post<Partial<RecoveryCodes>>(path, { name: name.trim(), response });
      onDone(data.recoveryCodes ?? []);
    });
  if (!hasPasskeys()) return <p>{words.noPasskeysHere}</p>;
  return (
    <form
      className="passkeyform"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <p>{words.passkeyLead}</p>
      <label className="fld">
        <span>{words.passkeyName}</span>
        <span className="input tall">
          <input value={name} maxLength={64} required onChange={({ target }) => setName(target.value)} />
        </span>
      </label>
      <Wrong text={failure} />
      <Button
        label={words.makePasskey}
        icon="fingerprint-pattern"
        kind="primary"
        type="submit"
        disabled={isBusy || name.trim() === ''}
      />
    </form>
  );
}
