import type { DutyNow } from '@tocsin/contract';
import { shortDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { usePhone } from './phone-context.tsx';
import type { Shift } from './shifts-of.ts';

/** A duty of this moment: until when, and who is called before. */
export function DutyCard({ duty, shift }: { readonly duty: DutyNow; readonly shift: Shift | undefined }) {
  const words = useWords().phone;
  const { user } = usePhone();
  const now = useNow();
  const time = useSiteTime();
  const before = duty.people.slice(
    0,
    duty.people.findIndex(({ userId }) => userId === user.id),
  );
  const order =
    before.length === 0 ? words.dutyFirst : words.dutyAfter(before.map(({ user: name }) => name).join(', '));
  // The end of the own shift, which may be later than the next change of the team.
  const until = shift?.to ?? (duty.until === undefined ? undefined : Date.parse(duty.until));
  return (
    <article className="mcard dutycard">
      <small>{duty.callGroup}</small>
      <h2 className="mmsg">
        {duty.why === 'always' || until === undefined
          ? words.dutyNow
          : words.dutyUntil(time.when(until, now).replace(/(\d\d:\d\d):\d\d$/, '$1'))}
      </h2>
      <p>{duty.why === 'always' ? `${words.dutyAlways} ${order}` : order}</p>
      {shift && <Progress shift={shift} />}
    </article>
  );
}

function Progress({ shift: { from, to } }: { readonly shift: Shift }) {
  const words = useWords().phone;
  const now = useNow();
  const time = useSiteTime();
  return (
    <>
      <div className="dbar" aria-hidden="true">
        <i style={{ width: `${Math.round((100 * (now - from)) / (to - from))}%` }} />
      </div>
      <div className="dends">
        <span>{time.clock(from).slice(0, 5)}</span>
        <span>{words.dutyLeft(shortDuration(to - now))}</span>
        <span>{time.clock(to).slice(0, 5)}</span>
      </div>
    </>
  );
}

export function NoDuty({ next }: { readonly next: Shift | undefined }) {
  const words = useWords().phone;
  const now = useNow();
  const time = useSiteTime();
  return (
    <article className="mcard dutycard">
      <h2 className="mmsg">{words.dutyNone}</h2>
      {next && <p>{words.dutyNext(time.when(next.from, now).replace(/(\d\d:\d\d):\d\d$/, '$1'))}</p>}
      <p>{words.dutyNoneLead}</p>
    </article>
  );
}
