import type { OutboxItem } from '@tocsin/client';
import { useState } from 'react';
import { Button } from '../frame/button.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import type { OwnCall } from './own-calls.ts';
import { usePhone } from './phone-context.tsx';
import type { Answers } from './use-answers.ts';

type Props = {
  readonly call: OwnCall;
  /** The acknowledgment of this alarm that is not sent yet. */
  readonly waiting: OutboxItem | undefined;
  readonly answers: Answers;
  readonly onGive: () => void;
};

/** The answers to a call, large enough for gloves. */
export function CallActions({ call, waiting, answers, onGive }: Props) {
  const words = useWords().phone;
  const { isOnline } = usePhone();
  const [isBusy, setIsBusy] = useState(false);
  const run = (task: Promise<unknown>) => {
    setIsBusy(true);
    void task.finally(() => setIsBusy(false));
  };
  if (waiting) return <Waiting item={waiting} />;
  if (call.alarmId === 0)
    return (
      <section className="mact" aria-label={words.answers}>
        <Button
          label={words.gotIt}
          icon="check"
          kind="primary huge"
          disabled={isBusy || !isOnline}
          onClick={() => run(answers.confirm(call))}
        />
      </section>
    );
  const needs = isOnline ? undefined : words.needsConnection;
  return (
    <section className="mact" aria-label={words.answers}>
      <Button
        label={words.take}
        icon="check"
        kind="primary huge"
        disabled={isBusy}
        onClick={() => run(answers.take(call))}
      />
      <div className="two">
        <span className="mbtn">
          <Button
            label={words.notMe}
            kind="huge2 full"
            disabled={isBusy || !isOnline}
            onClick={() => run(answers.refuse(call))}
          />
          <small className="hint">{needs ?? words.notMeHint}</small>
        </span>
        <span className="mbtn">
          <Button label={words.give} kind="huge2 full" disabled={isBusy || !isOnline} onClick={onGive} />
          <small className="hint">{needs ?? words.giveHint}</small>
        </span>
      </div>
    </section>
  );
}

function Waiting({ item }: { readonly item: OutboxItem }) {
  const words = useWords().phone;
  const time = useSiteTime();
  return (
    <section className="mact" aria-label={words.answers}>
      <p className="mwait" role="status">
        <Icon name="circle-dashed" size={22} />
        <span>
          <b>{words.takeWaits}</b>
          <small>{words.made(time.clock(item.madeAt))}</small>
        </span>
      </p>
    </section>
  );
}
