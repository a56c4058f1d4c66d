import type { ConsoleHealth, ShiftSummary } from '@tocsin/contract';
import { useHealth } from '../services/queries.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useWords } from '../words/use-words.ts';
import { calledPeople } from './figures.ts';
import { Line, mostLines } from './line.tsx';
import { Section } from './section.tsx';
import { type Asked, useCallsOf } from './shift-queries.ts';

type SummaryProps = { readonly summary: ShiftSummary; readonly now: number };

export function FailedCalls({ summary: { failedCalls }, now }: SummaryProps) {
  const words = useWords();
  const time = useSiteTime();
  const medium = (name: string) => words.media[name as keyof typeof words.media] ?? name;
  return (
    <Section
      title={words.shift.failed}
      items={failedCalls.items}
      total={failedCalls.total}
      most={mostLines}
      none={words.shift.failedNone}
    >
      {({ id, user, medium: name, status, message, time: at }) => (
        <Line
          key={id}
          icon="phone-off"
          text={user}
          more={[`${medium(name)}, ${words.alarm.statuses[status]}`, message].filter(Boolean).join(': ')}
          at={time.when(Date.parse(at), now)}
        />
      )}
    </Section>
  );
}

type AskedProps = { readonly asked: Asked; readonly now: number };

export function CalledPeople({ asked, now }: AskedProps) {
  const words = useWords().shift;
  const time = useSiteTime();
  const calls = useCallsOf(asked);
  if (!calls) return null;
  const note = calls.length === 0 ? '' : words.callsAndMessages(calls.length);
  return (
    <Section
      title={words.called}
      note={note}
      isCounted={false}
      items={calledPeople(calls)}
      most={mostLines}
      none={words.calledNone}
    >
      {({ userId, user, calls: count, answered, last }) => (
        <Line
          key={userId}
          icon={answered > 0 ? 'phone-call' : 'phone'}
          text={user}
          more={answered > 0 ? words.answered(count, answered) : words.neverAnswered(count)}
          at={time.when(last, now)}
        />
      )}
    </Section>
  );
}

export function OnDuty({ stationId, now }: { readonly stationId: number | undefined; readonly now: number }) {
  const words = useWords();
  const time = useSiteTime();
  const groups: NonNullable<ConsoleHealth['onDuty']> = useHealth()?.onDuty ?? [];
  const duty = groups.filter(
    (group) => stationId === undefined || group.stationId === 0 || group.stationId === stationId,
  );
  return (
    <Section title={words.alarm.onDuty} items={duty} most={mostLines} none={words.shift.noGroup}>
      {({ callGroupId, callGroup, people, until }) => (
        <Line
          key={callGroupId}
          icon="users"
          text={people.length === 0 ? words.called.nobody : people.map(({ user }) => user).join(', ')}
          more={callGroup}
          at={
            until === undefined
              ? words.quiet.noEnd
              : words.alarm.until(time.when(Date.parse(until), now).replace(/(\d\d:\d\d):\d\d$/, '$1'))
          }
        />
      )}
    </Section>
  );
}
