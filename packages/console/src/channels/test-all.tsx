import type { Channel, ChannelTestResult } from '@tocsin/contract';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';

type Props = { readonly channels: readonly Channel[]; readonly mayWrite: boolean };

/** Asks the provider of each channel in use whether it answers, one after the other. Nobody gets a message. */
export function TestAll({ channels, mayWrite }: Props) {
  const words = useWords().channels;
  const { api } = useServices();
  const used = channels.filter(({ enabled }) => enabled);
  const [done, setDone] = useState<number>();
  const [result, setResult] = useState<readonly string[]>();
  const failureOf = async ({ id, name }: Channel) => {
    try {
      const { works, reason } = (await api.post<ChannelTestResult>(`/channels/${id}/test`, {})).data;
      return works ? [] : [`${name} (${reason})`];
    } catch (error) {
      return [`${name} (${reasonOf(error)})`];
    }
  };
  const run = async () => {
    setResult(undefined);
    const failures: string[] = [];
    for (const [index, channel] of used.entries()) {
      setDone(index);
      failures.push(...(await failureOf(channel)));
    }
    setDone(undefined);
    setResult(failures);
  };
  return (
    <>
      <Button
        label={done === undefined ? words.testAll : words.testingAll(done, used.length)}
        icon="activity"
        kind="sm ghost"
        disabled={!mayWrite || used.length === 0 || done !== undefined}
        onClick={() => void run()}
      />
      {result && (
        <p className={result.length === 0 ? 'tested' : 'tested bad'} role="status">
          <span className={`mk ${result.length === 0 ? 'm-good' : 'm-bad'}`}>
            <i />
            <span>
              {result.length === 0 ? words.allWork(used.length) : words.someFail(result.join('; '))}
            </span>
          </span>
        </p>
      )}
    </>
  );
}
