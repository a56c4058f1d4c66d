import { useLive } from '../services/use-live.ts';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { shortDuration } from '../time/durations.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import type { AlarmRow } from './alarm-row.ts';
import { useCalls } from './alarms-context.tsx';

const mediumIcons: Record<string, IconName> = {
  Voice: 'phone-call',
  Sms: 'message-square-text',
  Email: 'mail',
  Push: 'smartphone',
};

type Call = NonNullable<ReturnType<ReturnType<typeof useCalls>['get']>>;

/** First name in narrow lists, full name where there is room. */
function PersonName({ name }: { readonly name: string }) {
  const [first = name, ...rest] = name.split(' ');
  return (
    <b>
      {first}
      {rest.length > 0 && <span className="wide-only"> {rest.join(' ')}</span>}
    </b>
  );
}

/** Who is being called for an alarm, live; or why nobody is. */
export function BeingCalled({ row }: { readonly row: AlarmRow }) {
  const words = useWords().called;
  const call = useCalls().get(row.alarm.id);
  if (row.state === 'mask') {
    const reason = row.context?.maskReason ?? '';
    return <Quiet icon="eye-off">{words.maskedBecause(reason)}</Quiet>;
  }
  if (call && call.attempts.length > 0) return <Attempt call={call} />;
  if (row.state === 'ack' && row.alarm.ackUser !== '')
    return (
      <Quiet icon="check">
        {words.takenBy('')}
        <PersonName name={row.alarm.ackUser} />
      </Quiet>
    );
  return <NotCalledNow row={row} nextTime={call?.nextTime} />;
}

type NotCalledProps = { readonly row: AlarmRow; readonly nextTime: string | undefined };

/** Nobody rings now: nobody can, somebody will, or nobody needs to. */
function NotCalledNow({ row, nextTime }: NotCalledProps) {
  const words = useWords().called;
  if (row.state === 'new' && row.context?.nobodyToCall) return <Nobody nextTime={nextTime} />;
  if (nextTime !== undefined) return <Next at={Date.parse(nextTime)} />;
  if (row.state === 'rtn') return <Quiet>{words.ended}</Quiet>;
  return <span className="who none">{words.notCalled}</span>;
}

function Quiet({ icon, children }: { readonly icon?: IconName; readonly children: React.ReactNode }) {
  return (
    <span className="who">
      {icon && <Icon name={icon} size={14} />}
      <span className="txt">{children}</span>
    </span>
  );
}

/** Urgent whatever the priority of the alarm, hence the shape of priority 1. */
function Nobody({ nextTime }: { readonly nextTime: string | undefined }) {
  const words = useWords().called;
  const now = useNow();
  return (
    <span className="who nobody">
      <AlarmSymbol priority={1} state="new" size={16} named={false} />
      <span className="txt">
        {words.nobody}
        {nextTime !== undefined && Date.parse(nextTime) > now && (
          <span className="then">
            {' '}
            <Icon name="arrow-right" size={11} /> <NextIn ms={Date.parse(nextTime) - now} />
          </span>
        )}
      </span>
    </span>
  );
}

/** The time alone on narrow screens, after the arrow. */
function NextIn({ ms }: { readonly ms: number }) {
  const words = useWords().called;
  return (
    <>
      <span className="nextwords">{words.nextIn(shortDuration(ms))}</span>
      <span className="nexttime">{shortDuration(ms)}</span>
    </>
  );
}

function Attempt({ call }: { readonly call: Call }) {
  const words = useWords();
  const now = useNow();
  const latest = useLive().attempts.get(call.id);
  const attempt = call.attempts.at(-1);
  if (!attempt) return null;
  const medium = words.media[attempt.medium as keyof typeof words.media] ?? attempt.medium;
  const kind = latest?.attempt.attemptId === attempt.id ? latest.kind : undefined;
  const lasted = shortDuration(
    now - (kind === undefined ? Date.parse(attempt.startTime) : (latest?.heardAt ?? now)),
  );
  const what = () => {
    if (attempt.status === 'Queued') return words.called.waits;
    if (kind === 'ringing') return words.called.ringing(lasted);
    if (kind === 'answered') return words.called.listening(lasted);
    return words.called.calling(medium, lasted);
  };
  return (
    <span className="who is-live">
      <Icon name={mediumIcons[attempt.medium] ?? 'phone-call'} size={14} />
      <span className="txt">
        <PersonName name={attempt.user} /> {what()}
        {call.nextTime !== undefined && (
          <span className="then">
            {' '}
            <Icon name="arrow-right" size={11} /> <NextIn ms={Date.parse(call.nextTime) - now} />
          </span>
        )}
      </span>
    </span>
  );
}

function Next({ at }: { readonly at: number }) {
  const words = useWords().called;
  const now = useNow();
  return (
    <span className="who is-live">
      <Icon name="clock" size={14} />
      <span className="txt">{words.nextIn(shortDuration(at - now))}</span>
    </span>
  );
}
