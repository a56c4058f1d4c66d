import { Link } from '@tanstack/react-router';
import { Bar } from '../alarms/time-to-respond.tsx';
import { useGuidance } from '../services/queries.ts';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { Icon } from '../symbols/icon.tsx';
import { shortDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import type { OwnCall } from './own-calls.ts';
import { usePhone } from './phone-context.tsx';

/** A call: who rings, what it is about, where, for how long, and what to do first. */
export function CallCard({ call }: { readonly call: OwnCall }) {
  const words = useWords();
  const now = useNow();
  const age = shortDuration(now - call.raisedAt);
  const about = () => {
    if (call.alarmId === 0) return words.phone.byHand;
    return call.state === 'rtn' ? words.phone.returned(age) : words.phone.newFor(age);
  };
  return (
    <>
      <Ring call={call} />
      <article className={`mcard callcard p${call.priority}`} data-alarm={call.alarmId}>
        <div className="mprio">
          <AlarmSymbol priority={call.priority} state={call.state} size={40} />
          <span>
            <b>{words.priorities[call.priority]}</b>
            <small>{about()}</small>
          </span>
        </div>
        <h2 className="mmsg">{call.message}</h2>
        {call.value !== '' && (
          <p className="mval">
            <b>{call.value}</b>
          </p>
        )}
        {call.place !== '' && (
          <p className="mwhere">
            <Icon name="map-pin" />
            <span>{call.place}</span>
          </p>
        )}
        {call.comment !== '' && (
          <p className="mnote1">
            <b>{words.phone.note}</b> {call.comment}
          </p>
        )}
        <Respond call={call} />
        {call.alarmId > 0 && <Guidance alarmId={call.alarmId} />}
      </article>
    </>
  );
}

function Ring({ call }: { readonly call: OwnCall }) {
  const all = useWords();
  const words = all.phone;
  const now = useNow();
  const time = useSiteTime();
  const { isOnline } = usePhone();
  const medium = all.media[call.medium as keyof typeof all.media] ?? call.medium;
  // Without a connection nobody here knows who is being called.
  const isRinging = call.isRunning && isOnline;
  const also = call.others.length > 0 ? words.alsoCalled(call.others.join(', ')) : words.onlyYou;
  const next =
    call.nextAt !== undefined && call.nextAt > now ? words.nextIn(shortDuration(call.nextAt - now)) : '';
  return (
    <div className={isRinging ? 'ring1' : 'ring1 before'}>
      <span>
        <Icon name={isRinging ? 'phone-call' : 'phone-incoming'} size={18} />
        <b>{isRinging ? words.callingYou : words.calledBefore(time.when(call.calledAt, now))}</b>
        {isRinging && words.callingFor(medium, shortDuration(now - call.calledAt))}
      </span>
      {isOnline && <small>{`${also} ${next}`.trim()}</small>}
    </div>
  );
}

function Respond({ call: { dueAt, raisedAt } }: { readonly call: OwnCall }) {
  const words = useWords().respond;
  const now = useNow();
  if (dueAt === undefined) return null;
  const left = dueAt - now;
  return (
    <div className={left > 0 ? 'mttr' : 'mttr over'}>
      <span>{words.title}</span>
      <b>{left > 0 ? words.left(shortDuration(left)) : `+${shortDuration(-left)}`}</b>
      <Bar percent={(100 * (now - raisedAt)) / (dueAt - raisedAt)} />
    </div>
  );
}

function Guidance({ alarmId }: { readonly alarmId: number }) {
  const words = useWords().phone;
  const { isOnline } = usePhone();
  const steps = useGuidance(alarmId)?.guidance?.steps ?? [];
  const [first, ...rest] = steps;
  if (first === undefined && !isOnline) return null;
  return (
    <div className="mdo">
      {first !== undefined && (
        <>
          <h3>{words.doFirst}</h3>
          <p>{first}</p>
        </>
      )}
      {rest.length > 0 && (
        <details>
          <summary>{words.allSteps(steps.length)}</summary>
          <ol>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </details>
      )}
      {isOnline && (
        <Link className="lnk" to="/alarms/$id" params={{ id: String(alarmId) }}>
          {words.openAlarm}
        </Link>
      )}
    </div>
  );
}
