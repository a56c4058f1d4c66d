import type { CallAnswered } from '@tocsin/contract';
import { useState } from 'react';
import { useMeta } from '../services/queries.ts';
import { randomKey } from '../services/random-key.ts';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { currentTime } from '../time/current-time.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import type { OwnCall } from './own-calls.ts';
import { usePhone } from './phone-context.tsx';

export type Answers = {
  /** Takes the alarm; without a connection it waits in the outbox. */
  take(call: OwnCall): Promise<void>;
  /** Says that the call was received. */
  confirm(call: OwnCall): Promise<void>;
  /** Gives the alarm to the next person, with a note for them. True when it is done. */
  refuse(call: OwnCall, note?: string): Promise<boolean>;
  /** What was done, or why not. */
  readonly outcome: string | undefined;
  /** The attempts that this person has refused or confirmed on this page. */
  readonly answered: ReadonlySet<number>;
};

/** Answers to calls. Only taking an alarm can wait: whoever refuses must know that somebody else is called. */
export function useAnswers(): Answers {
  const { api } = useServices();
  const { outbox, isOnline } = usePhone();
  const words = useWords().phone;
  const time = useSiteTime();
  const permissions = useMeta()?.user.permissions;
  const [outcome, setOutcome] = useState<string>();
  const [answered, setAnswered] = useState<ReadonlySet<number>>(new Set());
  const mayAct = permissions?.includes('alarms:act') ?? true;

  const answer = async ({ attemptId, message }: OwnCall, verb: string, body: object) => {
    const { data } = await api.post<CallAnswered>(`/calls/attempts/${attemptId}/${verb}`, body);
    setAnswered((before) => new Set([...before, attemptId]));
    const done = verb === 'refuse' ? words.refused(message) : words.confirmed(message);
    setOutcome(data.accepted ? done : words.late);
  };
  const attempt = async (task: () => Promise<void>): Promise<boolean> => {
    setOutcome(undefined);
    try {
      await task();
      return true;
    } catch (error) {
      setOutcome(words.notDone(reasonOf(error)));
      return false;
    }
  };
  const take = async (call: OwnCall) => {
    const { alarmId: id, alarmTime, message } = call;
    if (!mayAct || alarmTime === '') return answer(call, 'acknowledge', { takeAlarm: true });
    // The text is fixed here: a repeated request must be the same as the first one.
    const comment = isOnline ? undefined : words.madeOffline(time.clock(currentTime()));
    await outbox.acknowledge({ id, alarmTime, message }, comment);
  };
  const refuse = async (call: OwnCall, note: string) => {
    if (note !== '' && call.alarmId > 0 && mayAct)
      await api.post(`/alarms/${call.alarmId}/comment`, { comment: note }, { idempotencyKey: randomKey() });
    await answer(call, 'refuse', {});
  };
  return {
    take: async (call) => void (await attempt(() => take(call))),
    confirm: async (call) => void (await attempt(() => answer(call, 'acknowledge', {}))),
    refuse: (call, note = '') => attempt(() => refuse(call, note)),
    outcome,
    answered,
  };
}
