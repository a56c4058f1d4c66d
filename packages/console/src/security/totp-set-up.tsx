import type { RecoveryCodes, TotpSecret } from '@tocsin/contract';
import { useEffect, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import { CodeField } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';
import { useAttempt } from './use-attempt.ts';
import { Wrong } from './wrong.tsx';

type Props = {
  readonly userId: number;
  /** With new recovery codes; without any if the user has some already. */
  readonly onDone: (codes: readonly string[]) => void;
};

/** Connects an authenticator app: it reads the secret, and its first code shows that it did. */
export function TotpSetUp({ userId, onDone }: Props) {
  const words = useWords().signInSteps;
  const { api } = useServices();
  const [secret, setSecret] = useState<TotpSecret>();
  const [code, setCode] = useState('');
  const { attempt, failure, isBusy } = useAttempt();
  const path = `/users/${userId}/totp`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one secret is made when the step opens.
  useEffect(() => {
    void attempt(async () => setSecret((await api.post<TotpSecret>(path)).data));
  }, [api, path]);
  const confirm = (given: string) =>
    void attempt(async () => {
      const { data } = await api.post<RecoveryCodes>(`${path}/confirmation`, { code: given });
      onDone(data.recoveryCodes);
    }).then((isDone) => isDone || setCode(''));
  return (
    <form
      className="totp"
      onSubmit={(event) => {
        event.preventDefault();
        confirm(code);
      }}
    >
      <p>{words.totpLead}</p>
      {secret && (
        <>
          <QrCode text={secret.uri} label={words.qrCode} />
          <p className="typed">
            <span>{words.typeSecret}</span>
            <code>{grouped(secret.secret)}</code>
          </p>
          <CodeField value={code} onChange={setCode} onFull={confirm} isBusy={isBusy} />
        </>
      )}
      <Wrong text={failure} />
      {secret && (
        <Button label={words.connectApp} kind="primary" type="submit" disabled={isBusy || code.length < 6} />
      )}
    </form>
  );
}

/** In groups of four, which are easier to type. */
const grouped = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
