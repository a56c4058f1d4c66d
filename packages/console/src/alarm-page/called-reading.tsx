import type { CallInProgress } from '@tocsin/contract';
import type { AlarmRow } from '../alarms/alarm-row.ts';
import { useCalls } from '../alarms/alarms-context.tsx';
import { useLive } from '../services/use-live.ts';
import { Icon } from '../symbols/icon.tsx';
import { shortDuration } from '../time/durations.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import type { PlannedCall } from './planned-calls.ts';

type Props = { readonly row: AlarmRow; readonly next: PlannedCall | undefined };

/** Who is being called, how, and who is next. */
export function CalledReading({ row, next }: Props) {
  const words = useWords();
  const { name, how } = useCalled(row);
  const now = useNow();
  return (
    <dl className="reading">
      <dt>{words.alarm.beingCalled}</dt>
      <dd className="who-big">{name}</dd>
      <dd className="sub">
        {how}
        {next && (
          <>
            {' '}
            <Icon name="arrow-right" size={11} />{' '}
            {words.alarm.nextIn(next.user, shortDuration(next.at - now))}
          </>
        )}
      </dd>
    </dl>
  );
}

type Reading = { readonly name: string; readonly how: string };

function useCalled(row: AlarmRow): Reading {
  const words = useWords();
  const call = useCalls().get(row.alarm.id);
  const attempt = useAttempt(call);
  if (attempt) return attempt;
  if (row.state === 'ack')
    return { name: row.alarm.ackUser === '' ? '–' : row.alarm.ackUser, how: words.alarm.tookIt };
  if (row.state === 'rtn') return { name: '–', how: words.called.ended };
  return { name: '–', how: call ? '' : words.called.notCalled };
}

/** The attempt of a call that goes on now. */
function useAttempt(call: CallInProgress | undefined): Reading | undefined {
  const words = useWords();
  const now = useNow();
  const latest = useLive().attempts.get(call?.id ?? 0);
  const attempt = call?.attempts.at(-1);
  if (!attempt) return undefined;
  const medium = words.media[attempt.medium as keyof typeof words.media] ?? attempt.medium;
  const heard = latest?.attempt.attemptId === attempt.id ? latest : undefined;
  const lasted = shortDuration(now - (heard?.heardAt ?? Date.parse(attempt.startTime)));
  const how = () => {
    if (attempt.status === 'Queued') return words.called.waits;
    if (heard?.kind === 'ringing') return `${medium}, ${words.called.ringing(lasted)}`;
    if (heard?.kind === 'answered') return `${medium}, ${words.called.listening(lasted)}`;
    return words.called.calling(medium, lasted);
  };
  return { name: attempt.user, how: how() };
}
