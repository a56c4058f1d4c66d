import type { SignInWays } from '@tocsin/contract';
import { useEffect, useState } from 'react';
import { Button } from '../frame/button.tsx';
import { hasPasskeys, signWithPasskey } from '../security/passkeys.ts';
import { useAttempt } from '../security/use-attempt.ts';
import { Wrong } from '../security/wrong.tsx';
import { useServices } from '../services/services.ts';
import { audioContext } from '../sound/audio.ts';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { beginTrip } from './outside-trip.ts';
import { readPasskeyOptions, readWays } from './sign-in-requests.ts';

/** The ways in without a password that this installation has. */
export function OtherWays() {
  const words = useWords().signInSteps;
  const { session, basePath } = useServices();
  const [ways, setWays] = useState<SignInWays>();
  const { attempt, failure, isBusy } = useAttempt(words.wrongPasskey);
  useEffect(() => void readWays(basePath).then(setWays), [basePath]);
  const withPasskey = () => {
    void audioContext()?.resume();
    void attempt(async () => {
      const proof = await signWithPasskey(await readPasskeyOptions(basePath));
      await session.logInWithPasskey(JSON.stringify(proof));
    });
  };
  const isPasskey = ways?.passkeys === true && hasPasskeys();
  if (!ways || (!isPasskey && ways.issuers.length === 0)) return null;
  return (
    <>
      <div className="or">
        <span>{words.or}</span>
      </div>
      <div className="otherways">
        {isPasskey && (
          <Button
            label={words.withPasskey}
            icon="fingerprint-pattern"
            kind="xl"
            disabled={isBusy}
            onClick={withPasskey}
          />
        )}
        {ways.issuers.map(({ id, name, url }) => (
          <a key={id} className="btn xl" href={url} onClick={beginTrip}>
            <Icon name="key-round" />
            <span>{words.withIssuer(name)}</span>
          </a>
        ))}
      </div>
      <Wrong text={failure} />
    </>
  );
}
