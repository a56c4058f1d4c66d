import type { ChannelTestResult } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';

type Props = { readonly id: number; readonly isChanged: boolean; readonly mayWrite: boolean };

/** Sends a test message, or asks the provider whether it answers. */
export function ChannelTest({ id, isChanged, mayWrite }: Props) {
  const words = useWords().channels;
  const { api } = useServices();
  const [address, setAddress] = useState('');
  const [isRunning, setIsRunning] = useState(false);
  const [result, setResult] = useState<ChannelTestResult>();
  const run = async () => {
    setIsRunning(true);
    setResult(undefined);
    try {
      const body = address.trim() === '' ? {} : { address: address.trim() };
      setResult((await api.post<ChannelTestResult>(`/channels/${id}/test`, body)).data);
    } catch (error) {
      setResult({ works: false, outcome: 'refused', reason: reasonOf(error) });
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <section aria-label={words.test}>
      <h3>{words.test}</h3>
      <p className="muted fs12">{isChanged ? words.testFirst : words.testLead}</p>
      <div className="frs">
        <label className="fr">
          <span>{words.testAddress}</span>
          <span className="input sm3">
            <input
              value={address}
              disabled={!mayWrite}
              autoComplete="off"
              onChange={({ target }) => setAddress(target.value)}
            />
          </span>
          <small>{words.testAddressHint}</small>
        </label>
      </div>
      <div className="btnrow">
        <Button
          label={isRunning ? words.testing : words.testGo}
          icon="activity"
          kind="sm"
          disabled={isRunning || isChanged || !mayWrite}
          onClick={() => void run()}
        />
      </div>
      {result && (
        <p className={result.works ? 'tested' : 'tested bad'} role="status">
          <span className={`mk ${result.works ? 'm-good' : 'm-bad'}`}>
            <i />
            <span>
              {result.works
                ? words.testWorked(result.outcome)
                : words.testFailed(result.outcome, result.reason)}
            </span>
          </span>
        </p>
      )}
    </section>
  );
}
