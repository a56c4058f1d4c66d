import type { Passkey, SecondFactors } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { PasskeySetUp } from '../security/passkey-set-up.tsx';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { Told } from './told.tsx';
import { useChange } from './use-change.ts';

type Props = {
  readonly userId: number;
  readonly factors: SecondFactors;
  readonly onCodes: (codes: readonly string[]) => void;
};

/** The passkeys of the user: each can be removed, and another one added. */
export function PasskeyList({ userId, factors, onCodes }: Props) {
  const words = useWords().security;
  const { api } = useServices();
  const { change, told, isBusy } = useChange();
  const [isAdding, setIsAdding] = useState(false);
  const remove = async ({ id, name }: Passkey) => {
    const path = `/users/${userId}/passkeys/${id}`;
    if (await change(words.passkeyRemoved(name), () => api.remove(path))) onCodes([]);
  };
  const finish = (codes: readonly string[]) => {
    setIsAdding(false);
    onCodes(codes);
  };
  return (
    <section aria-label={words.passkeys}>
      <div className="factorline">
        <Icon name="fingerprint-pattern" size={20} />
        <span>
          <b>{words.passkeys}</b>
          <small>{words.passkeysLead}</small>
        </span>
        <Button
          label={isAdding ? words.cancel : words.addPasskey}
          kind="sm"
          onClick={() => setIsAdding(!isAdding)}
        />
      </div>
      {isAdding && <PasskeySetUp userId={userId} onDone={finish} />}
      <ul className="passkeys">
        {factors.passkeys.map((passkey) => (
          <Line key={passkey.id} passkey={passkey} isBusy={isBusy} onRemove={() => void remove(passkey)} />
        ))}
      </ul>
      <Told told={told} />
    </section>
  );
}

type LineProps = { readonly passkey: Passkey; readonly isBusy: boolean; readonly onRemove: () => void };

function Line({ passkey, isBusy, onRemove }: LineProps) {
  const words = useWords().security;
  const time = useSiteTime();
  const now = useNow();
  const { name, createTime, lastUse } = passkey;
  const at = (text: string) => time.when(Date.parse(`${text}Z`), now);
  return (
    <li>
      <span>
        <b>{name}</b>
        <small>
          {words.since(at(createTime))}
          {'. '}
          {lastUse === undefined ? words.neverUsed : words.lastUse(at(lastUse))}
        </small>
      </span>
      <Button
        label={words.remove}
        aria-label={words.removePasskey(name)}
        kind="sm"
        disabled={isBusy}
        onClick={onRemove}
      />
    </li>
  );
}
