import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Alarm, TimelineEntry } from '@tocsin/contract';
import { describeAddress } from '../alarm-page/describe-step.ts';
import { Button } from '../frame/button.tsx';
import { useServices } from '../services/services.ts';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useWords, type Words } from '../words/use-words.ts';
import { Stage } from './stage.tsx';
import type { Path } from './use-path.ts';

type Page<Item> = { readonly items: readonly Item[] };

function useFollowed(alarmId: number | undefined) {
  const { api } = useServices();
  return useQuery({
    queryKey: ['set-up-alarm', alarmId],
    queryFn: async () => ({
      alarm: (await api.get<Alarm>(`/alarms/${alarmId}`)).data,
      entries: (await api.get<Page<TimelineEntry>>(`/alarms/${alarmId}/timeline`, { limit: 50, sort: '-id' }))
        .data.items,
    }),
    enabled: alarmId !== undefined,
    refetchInterval: ({ state }) => (state.data?.alarm.ackUser ? false : 1_000),
  }).data;
}

/** Shows the call as it goes on, until somebody has taken the alarm: that is the proof. */
export function AnswerStep({ path }: { readonly path: Path }) {
  const all = useWords();
  const words = all.setUpPath;
  const time = useSiteTime();
  const followed = useFollowed(path.alarmId);
  const taker = followed?.alarm.ackUser ?? '';
  const lines = followed ? progressOf(followed.alarm, followed.entries, all) : [];
  const reset = () =>
    path.attempt(async () => {
      await path.send({ method: 'POST', path: `/alarms/${path.alarmId}/reset`, body: {} });
    });
  return (
    <Stage path={path} name="answer" hint={taker === '' && path.alarmId !== undefined ? words.waits : ''}>
      {path.alarmId === undefined && <p>{words.noAlarm}</p>}
      <ol className="callprog" aria-label={words.progress}>
        {lines.map(({ key, state, icon, text, at }) => (
          <li key={key} className={state}>
            <Icon name={icon} size={14} />
            <span>{text}</span>
            <span>{at === undefined ? '' : time.clock(at)}</span>
          </li>
        ))}
      </ol>
      {taker !== '' && (
        <div className="rang" role="status">
          <div>
            <h3>{words.proved(taker)}</h3>
            <p>{words.provedLead}</p>
            <div className="donerow">
              <Link className="btn primary" to="/alarms/$id" params={{ id: String(path.alarmId) }}>
                {words.openAlarm}
              </Link>
              <Button label={words.endAlarm} disabled={path.isBusy} onClick={() => void reset()} />
            </div>
          </div>
        </div>
      )}
    </Stage>
  );
}

type Line = {
  readonly key: string;
  readonly state: 'done' | 'now' | '';
  readonly icon: IconName;
  readonly text: string;
  readonly at: number | undefined;
};

function progressOf(
  { alarmTime, ackUser }: Alarm,
  newestFirst: readonly TimelineEntry[],
  all: Words,
): readonly Line[] {
  const words = all.setUpPath;
  // A path that is gone twice raises the same tag again.
  const occurrence = newestFirst[0]?.occurrenceId;
  const entries = newestFirst.filter(({ occurrenceId }) => occurrenceId === occurrence).toReversed();
  const calls = entries.flatMap(({ call, time }) => (call ? [{ call, at: Date.parse(time) }] : []));
  const taken = entries.find(({ kind }) => kind === 'acknowledged');
  const line = (key: string, at: number | undefined, text: string, icon: IconName): Line => ({
    key,
    state: at === undefined ? '' : 'done',
    icon: at === undefined ? 'circle-dashed' : icon,
    text,
    at,
  });
  const attempts = calls.map(({ call, at }): Line => {
    const isLive = call.endTime === undefined && ackUser === '';
    const text = `${call.user}, ${describeAddress(call, all)}: ${all.alarm.statuses[call.status]}`;
    const key = String(call.attemptId);
    return isLive ? { key, state: 'now', icon: 'phone-call', text, at } : line(key, at, text, 'check');
  });
  return [
    line('raised', Date.parse(alarmTime), words.raised, 'check'),
    ...(attempts.length > 0 ? attempts : [line('called', undefined, words.called, 'check')]),
    line(
      'taken',
      taken && Date.parse(taken.time),
      ackUser === '' ? words.taken : words.takenBy(ackUser),
      'check',
    ),
  ];
}
