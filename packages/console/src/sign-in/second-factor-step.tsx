import type { SecondFactor } from '@tocsin/client';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { CodeField } from '../security/code-field.tsx';
import { hasPasskeys, signWithPasskey } from '../security/passkeys.ts';
import { useAttempt } from '../security/use-attempt.ts';
import { Wrong } from '../security/wrong.tsx';
import { useServices } from '../services/services.ts';
import { audioContext } from '../sound/audio.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import type { Halfway } from './halfway.ts';
import { readPasskeyOptions } from './sign-in-requests.ts';

type Method = Halfway['step']['methods'][number];
type Props = { readonly halfway: Halfway; readonly onBack: () => void };

/** The method that is shown first: the app, else a passkey, else a recovery code. */
const firstOf = (methods: readonly Method[]): Method =>
  (['totp', 'passkey', 'recovery'] as const).find((method) => methods.includes(method)) ?? 'recovery';

/** The second step: a code of the app, a passkey or a recovery code. */
export function SecondFactorStep({ halfway, onBack }: Props) {
  const words = useWords().signInSteps;
  const { session, basePath } = useServices();
  const { token, methods } = halfway.step;
  const [method, setMethod] = useState(firstOf(methods));
  const [typed, setTyped] = useState('');
  const { attempt, failure, isBusy } = useAttempt(words.wrongProof[method]);
  const complete = async (factor: SecondFactor) => session.completeLogIn(token, factor);
  const withPasskey = async () => {
    const proof = await signWithPasskey(await readPasskeyOptions(basePath, token));
    await complete({ passkey: JSON.stringify(proof) });
  };
  const prove = async (text: string) => {
    void audioContext()?.resume();
    const typedFactor = (): SecondFactor =>
      method === 'totp' ? { totp: text } : { recovery_code: text.trim() };
    const act = method === 'passkey' ? withPasskey : () => complete(typedFactor());
    if (!(await attempt(act))) setTyped('');
  };
  const choose = (next: Method) => {
    setMethod(next);
    setTyped('');
  };
  return (
    <section className="form" aria-label={words.secondTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void prove(typed);
        }}
      >
        <header>
          <span className="stepn">{words.secondOfTwo}</span>
          <h2>{words.secondTitle}</h2>
        </header>
        <Who name={halfway.username} onBack={onBack} />
        <Proof
          method={method}
          typed={typed}
          isBusy={isBusy}
          onChange={setTyped}
          onFull={(code) => void prove(code)}
        />
        <Wrong text={failure} />
        <Button
          label={method === 'passkey' ? words.withPasskey : words.signIn}
          {...(method === 'passkey' && { icon: 'fingerprint-pattern' as const })}
          kind="primary xl"
          type="submit"
          disabled={isBusy || (method !== 'passkey' && typed.trim() === '')}
        />
      </form>
      <OtherMethods shown={method} methods={methods} onChoose={choose} />
      <p className="fine">{words.boundedTries}</p>
    </section>
  );
}

function Who({ name, onBack }: { readonly name: string; readonly onBack: () => void }) {
  const words = useWords().signInSteps;
  return (
    <div className="whois">
      <Icon name="user" size={20} />
      <span>
        <b>{name}</b>
        <small>{words.passwordRight}</small>
      </span>
      <button type="button" className="btn sm ghost" onClick={onBack}>
        {words.notYou}
      </button>
    </div>
  );
}

type ProofProps = {
  readonly method: Method;
  readonly typed: string;
  readonly isBusy: boolean;
  readonly onChange: (text: string) => void;
  readonly onFull: (code: string) => void;
};

function Proof({ method, typed, isBusy, onChange, onFull }: ProofProps) {
  const words = useWords().signInSteps;
  if (method === 'passkey') return <p>{words.passkeyAsked}</p>;
  if (method === 'totp')
    return <CodeField value={typed} onChange={onChange} onFull={onFull} isBusy={isBusy} />;
  return (
    <label className="fld">
      <span>
        <span>{words.recoveryCode}</span> <em>{words.recoveryHint}</em>
      </span>
      <span className="input tall">
        <input
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={typed}
          onChange={({ target }) => onChange(target.value)}
        />
      </span>
    </label>
  );
}

const icons = { totp: 'smartphone', passkey: 'fingerprint-pattern', recovery: 'key-round' } as const;

type OtherProps = {
  readonly shown: Method;
  readonly methods: readonly Method[];
  readonly onChoose: (method: Method) => void;
};

function OtherMethods({ shown, methods, onChoose }: OtherProps) {
  const words = useWords().signInSteps;
  const others = methods.filter((method) => method !== shown && (method !== 'passkey' || hasPasskeys()));
  if (others.length === 0) return null;
  return (
    <>
      <div className="or">
        <span>{words.notAtHand}</span>
      </div>
      <div className="otherways">
        {others.map((method) => (
          <Button
            key={method}
            label={words.otherMethods[method]}
            icon={icons[method]}
            kind="xl"
            onClick={() => onChoose(method)}
          />
        ))}
      </div>
    </>
  );
}
