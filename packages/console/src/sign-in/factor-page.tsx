import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Segments } from '../frame/segments.tsx';
import { Demanded } from '../security/demanded.tsx';
import { PasskeySetUp } from '../security/passkey-set-up.tsx';
import { hasPasskeys } from '../security/passkeys.ts';
import { RecoveryCodes } from '../security/recovery-codes.tsx';
import { TotpSetUp } from '../security/totp-set-up.tsx';
import { useServices } from '../services/services.ts';
import { Mark } from '../symbols/mark.tsx';
import { useWords } from '../words/use-words.ts';
import { DoorFoot } from './door-foot.tsx';

type Props = { readonly onDone: () => void };

/** Shown to somebody whose role needs a second factor, until they have one. */
export function FactorPage({ onDone }: Props) {
  const { signInSteps: words, top } = useWords();
  const { session } = useServices();
  return (
    <div className="signin">
      <main className="door">
        <section className="about">
          <div className="logo">
            <Mark size={44} />
            <b>Tocsin</b>
          </div>
          <h1>{words.factorTitle}</h1>
          <p className="lead">{words.factorLead}</p>
          <p className="fine">{words.factorFine}</p>
          <Button label={top.signOut} icon="log-out" kind="sm ghost" onClick={() => void session.logOut()} />
        </section>
        <section className="form" aria-label={words.factorTitle}>
          <Steps userId={session.user?.id ?? 0} onDone={onDone} />
        </section>
      </main>
      <DoorFoot />
      <Demanded />
    </div>
  );
}

function Steps({ userId, onDone }: Props & { readonly userId: number }) {
  const words = useWords().signInSteps;
  const [way, setWay] = useState<'totp' | 'passkey'>('totp');
  const [codes, setCodes] = useState<readonly string[]>();
  const show = (made: readonly string[]) => (made.length === 0 ? onDone() : setCodes(made));
  if (codes) return <RecoveryCodes codes={codes} onKept={onDone} />;
  return (
    <>
      <h2>{words.setUpFactor}</h2>
      {hasPasskeys() && (
        <Segments
          label={words.confirmWith}
          choices={[
            ['totp', words.app],
            ['passkey', words.ways.passkey],
          ]}
          value={way}
          onChange={setWay}
        />
      )}
      {way === 'totp' ? (
        <TotpSetUp userId={userId} onDone={show} />
      ) : (
        <PasskeySetUp userId={userId} onDone={show} />
      )}
    </>
  );
}
