import type { UserMedium } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../../frame/button.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { useWords } from '../../words/use-words.ts';
import type { ItemChanges } from '../core/collection.ts';

type Props = {
  readonly userId: number;
  readonly medium: UserMedium;
  readonly changes: ItemChanges;
};

/** Sends a code to an address and takes it, or lets an administrator vouch for the address. */
export function Confirmation({ userId, medium: { kind, address }, changes }: Props) {
  const all = useWords();
  const words = all.configurePeople;
  const { api } = useServices();
  const [code, setCode] = useState('');
  const [said, setSaid] = useState<string>();
  const attempt = async (label: string, act: () => Promise<unknown>) => {
    try {
      setSaid(undefined);
      await act();
    } catch (error) {
      setSaid(all.actions.failed(label, reasonOf(error)));
    }
  };
  const send = () =>
    attempt(words.sendCode, async () => {
      await api.post(`/users/${userId}/media/code`, { kind, address });
      setSaid(words.codeSent);
    });
  const confirm = (how: object, label: string) =>
    attempt(label, async () => {
      await api.post(`/users/${userId}/media/confirmation`, { kind, address, ...how });
      await changes.readAgain();
    });
  const isOff = changes.isChanged || !changes.mayWrite;
  return (
    <span className="confirmrow">
      <Button label={words.sendCode} icon="send" kind="sm" disabled={isOff} onClick={() => void send()} />
      <span className="input sm">
        <input
          inputMode="numeric"
          maxLength={6}
          placeholder="000000"
          aria-label={words.codeOf(address)}
          value={code}
          disabled={isOff}
          onChange={({ target }) => setCode(target.value)}
        />
      </span>
      <Button
        label={words.enterCode}
        kind="sm"
        disabled={isOff || !/^\d{6}$/.test(code)}
        onClick={() => void confirm({ code }, words.enterCode)}
      />
      <Button
        label={words.vouch}
        kind="sm ghost"
        disabled={isOff}
        onClick={() => void confirm({ override: true }, words.vouch)}
      />
      {said !== undefined && <small role="status">{said}</small>}
    </span>
  );
}
