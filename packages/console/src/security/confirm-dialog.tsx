import type { SecondFactors, WebAuthnJson } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { Segments } from '../frame/segments.tsx';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { CodeField } from './code-field.tsx';
import { useSecondFactors } from './factor-queries.ts';
import { hasPasskeys, signWithPasskey } from './passkeys.ts';
import { useAttempt } from './use-attempt.ts';
import { Wrong } from './wrong.tsx';

type Way = 'totp' | 'passkey' | 'password';
type Proof = { readonly totp: string } | { readonly passkey: WebAuthnJson } | { readonly password: string };

/** The ways that the user has; the password last, because a second factor proves more. */
const waysOf = ({ totp, passkeys }: SecondFactors): readonly Way[] => [
  ...(totp ? (['totp'] as const) : []),
  ...(passkeys.length > 0 && hasPasskeys() ? (['passkey'] as const) : []),
  'password',
];

/** Asks the user to show again that it is them. The refused request is sent once more afterwards. */
export function ConfirmDialog() {
  const { session } = useServices();
  const factors = useSecondFactors(session.user?.id ?? 0);
  return factors && <Asked ways={waysOf(factors)} />;
}

function Asked({ ways }: { readonly ways: readonly Way[] }) {
  const all = useWords();
  const words = all.signInSteps;
  const { api, demands } = useServices();
  const [way, setWay] = useState<Way>(ways[0] ?? 'password');
  const [typed, setTyped] = useState('');
  const { attempt, failure, isBusy } = useAttempt();
  const send = async (proof: Proof) => {
    await api.post('/auth/confirmation', proof);
    demands.answer(true);
  };
  const withPasskey = async () => {
    const { data } = await api.post<WebAuthnJson>('/auth/passkey-options', {});
    await send({ passkey: await signWithPasskey(data) });
  };
  const confirm = async (text: string) => {
    const act =
      way === 'passkey' ? withPasskey : () => send(way === 'totp' ? { totp: text } : { password: text });
    if (!(await attempt(act))) setTyped('');
  };
  const choose = (next: Way) => {
    setWay(next);
    setTyped('');
  };
  const title = (
    <>
      <Icon name="shield-check" size={20} />
      <span>{words.confirmTitle}</span>
    </>
  );
  const cancel = () => demands.answer(false);
  return (
    <Dialog title={title} kind="confirm" onClose={cancel} onSubmit={() => void confirm(typed)}>
      <p>{words.confirmLead}</p>
      {ways.length > 1 && (
        <Segments
          label={words.confirmWith}
          choices={ways.map((each) => [each, words.ways[each]])}
          value={way}
          onChange={choose}
        />
      )}
      {way === 'totp' && (
        <CodeField value={typed} onChange={setTyped} onFull={(code) => void confirm(code)} isBusy={isBusy} />
      )}
      {way === 'password' && <PasswordField value={typed} onChange={setTyped} />}
      <Wrong text={failure} />
      <div className="dlgact">
        <Button label={all.actions.cancel} kind="ghost" hint="Esc" onClick={cancel} />
        <Button
          label={words.confirmGo}
          kind="primary"
          type="submit"
          disabled={isBusy || (way !== 'passkey' && typed === '')}
        />
      </div>
    </Dialog>
  );
}

type PasswordProps = { readonly value: string; readonly onChange: (text: string) => void };

function PasswordField({ value, onChange }: PasswordProps) {
  const words = useWords().signIn;
  return (
    <label className="fld">
      <span>{words.password}</span>
      <span className="input tall">
        <input
          data-first
          type="password"
          autoComplete="current-password"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </span>
    </label>
  );
}
