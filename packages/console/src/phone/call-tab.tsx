import { Link, useParams } from '@tanstack/react-router';
import type { OutboxItem } from '@tocsin/client';
import { useState } from 'react';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { Icon } from '../symbols/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { CallActions } from './call-actions.tsx';
import { CallCard } from './call-card.tsx';
import { GiveSheet } from './give-sheet.tsx';
import { HeldAlarms } from './held-alarms.tsx';
import { OfflineBox } from './offline-box.tsx';
import type { OwnCall } from './own-calls.ts';
import { useOutboxItems } from './phone-context.tsx';
import { useAnswers } from './use-answers.ts';
import { useOwnCalls } from './use-own-calls.ts';

/** What this person did about the occurrence of a call. */
const actionOn = (items: readonly OutboxItem[], { alarmId, alarmTime }: OwnCall) =>
  items.findLast(({ alarm }) => alarm.id === alarmId && alarm.alarmTime === alarmTime);

/** The call that waits for an answer, with the answers at the thumb. */
export function CallTab() {
  const words = useWords().phone;
  const { id } = useParams({ strict: false });
  const [givenId, setGivenId] = useState<number>();
  const items = useOutboxItems();
  const answers = useAnswers();
  const calls = useOwnCalls().filter(
    (call) => !answers.answered.has(call.attemptId) && actionOn(items, call)?.progress.state !== 'accepted',
  );
  const call = calls.find(({ alarmId }) => alarmId > 0 && alarmId === Number(id)) ?? calls[0];
  const action = call && actionOn(items, call);
  const waiting = action?.progress.state === 'waiting' ? action : undefined;
  if (call && givenId === call.attemptId)
    return <GiveSheet call={call} answers={answers} onClose={() => setGivenId(undefined)} />;
  return (
    <>
      <main className="mbody">
        <h1 className="vh">{words.tabs.call}</h1>
        <OfflineBox />
        {answers.outcome !== undefined && (
          <p className="mdone" role="status">
            {answers.outcome}
          </p>
        )}
        {call ? <CallCard call={call} /> : <Quiet />}
        <OtherCalls calls={calls.filter((one) => one !== call)} />
        <HeldAlarms title={words.yours} isShort />
      </main>
      {call && (
        <CallActions
          call={call}
          waiting={waiting}
          answers={answers}
          onGive={() => setGivenId(call.attemptId)}
        />
      )}
    </>
  );
}

function Quiet() {
  const words = useWords().phone;
  return (
    <article className="mcard mquiet">
      <Icon name="phone-off" size={30} />
      <h2>{words.quietTitle}</h2>
      <p>{words.quietLead}</p>
    </article>
  );
}

function OtherCalls({ calls }: { readonly calls: readonly OwnCall[] }) {
  const words = useWords().phone;
  if (calls.length === 0) return null;
  return (
    <>
      <h2 className="mh">{words.moreCalls(calls.length)}</h2>
      <ul className="outbox">
        {calls.map(({ attemptId, alarmId, priority, state, message, place }) => (
          <li key={attemptId}>
            <AlarmSymbol priority={priority} state={state} size={20} />
            <Link to="/m/call/$id" params={{ id: String(alarmId) }}>
              <b>{message}</b>
              <small>{place}</small>
            </Link>
            <Icon name="chevron-right" size={18} />
          </li>
        ))}
      </ul>
    </>
  );
}
