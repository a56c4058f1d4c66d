import type { ConsoleHealth } from '@tocsin/contract';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { Card } from '../frame/card.tsx';
import { useMeta, useStations } from '../services/queries.ts';
import { AlarmSymbol } from '../symbols/alarm-symbol.tsx';
import { Icon } from '../symbols/icon.tsx';
import { roughDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useWords } from '../words/use-words.ts';
import { Table } from './table.tsx';

type Props = { readonly health: ConsoleHealth };

/** `4 s ago`, or `never`. */
function useAgo(): (time: string | undefined) => string {
  const words = useWords().quiet;
  const now = useNow();
  return (time) => (time === undefined ? words.never : words.ago(roughDuration(now - Date.parse(time))));
}

export function SourcesCard({ health: { dataServers } }: Props) {
  const words = useWords().quiet;
  const time = useSiteTime();
  const now = useNow();
  const stations = new Map(useStations().map(({ id, name }) => [id, name]));
  if (dataServers.length === 0) return null;
  const rows = dataServers.map(({ id, name, stationId, lastTime }) => ({
    key: id,
    cells: [
      name,
      stations.get(stationId) ?? words.allStations,
      lastTime === undefined ? words.longAgo : time.when(Date.parse(lastTime), now),
    ],
  }));
  return (
    <Card kind="q1" title={words.sources} note={words.sourcesNote(dataServers.length)}>
      <div className="in">
        <Table numbersFrom={2} head={[words.dataServer, words.station, words.lastChange]} rows={rows} />
      </div>
    </Card>
  );
}

export function WaysCard({ health: { media, lastCallTestTime } }: Props) {
  const words = useWords();
  const ago = useAgo();
  const time = useSiteTime();
  const now = useNow();
  const down = media.reduce((total, medium) => total + medium.down, 0);
  const channels = media.reduce((total, medium) => total + medium.channels, 0);
  if (channels === 0)
    return (
      <Card kind="q2" title={words.quiet.ways}>
        <div className="in">
          <p className="foot bad">
            <Icon name="triangle-alert" size={14} />
            <b>{words.quiet.noWays}</b>
          </p>
        </div>
      </Card>
    );
  const rows = media.map((medium) => ({
    key: medium.medium,
    cells: [
      words.media[medium.medium as keyof typeof words.media] ?? medium.medium,
      words.quiet.working(medium.channels - medium.down, medium.channels),
      ago(medium.lastCheckTime),
    ],
  }));
  const { ways, waysNote, medium, channel, lastCheck, callTest, noCallTest } = words.quiet;
  return (
    <Card kind="q2" title={ways} note={waysNote(channels - down, channels)}>
      <div className="in">
        <Table numbersFrom={2} head={[medium, channel, lastCheck]} rows={rows} />
        <p className="foot">
          <Icon name="phone" size={14} />
          <span>
            {lastCallTestTime === undefined
              ? noCallTest
              : callTest(time.when(Date.parse(lastCallTestTime), now))}
          </span>
        </p>
      </div>
    </Card>
  );
}

export function DutyCard({ health: { onDuty } }: Props) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  if (!onDuty || onDuty.length === 0) return null;
  const rows = onDuty.map(({ callGroupId, callGroup, people, until }) => ({
    key: callGroupId,
    cells: [
      callGroup,
      people.length === 0 ? words.called.nobody : people.map(({ user }) => user).join(', '),
      until === undefined
        ? words.quiet.noEnd
        : time.when(Date.parse(until), now).replace(/^(\d\d:\d\d):\d\d$/, '$1'),
    ],
  }));
  return (
    <Card kind="q3" title={words.quiet.duty}>
      <div className="in">
        <Table
          numbersFrom={2}
          head={[words.quiet.callGroup, words.quiet.dutyNow, words.quiet.dutyUntil]}
          rows={rows}
        />
      </div>
    </Card>
  );
}

export function ServerCard({ health }: Props) {
  const words = useWords().quiet;
  const meta = useMeta();
  const time = useSiteTime();
  const facts: readonly (readonly [string, string])[] = [
    [words.dispatch, health.overdueEscalations === 0 ? words.onTime : words.lag(health.dispatchLagSeconds)],
    [words.openCalls, words.calls(health.openEscalations, health.overdueEscalations)],
    [words.clock, time.clock(Date.parse(health.time))],
  ];
  return (
    <Card kind="q4" title={words.server} {...(meta && { note: words.version(meta.version) })}>
      <div className="in">
        <dl className="kv two">
          {facts.map(([name, value]) => (
            <div key={name} className="kvrow">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
}

const mostMasks = 4;

export function MasksCard({ health: { endingMasks } }: Props) {
  const words = useWords();
  const time = useSiteTime();
  const now = useNow();
  const masked = useAlarms().rows.filter(({ state }) => state === 'mask');
  const next = endingMasks[0];
  const endsIn = next && roughDuration(Date.parse(next.maskedUntil) - now);
  return (
    <Card kind="q5" title={words.states.mask} note={words.quiet.masksNote(masked.length, endsIn)}>
      <div className="in">
        {masked.length === 0 ? (
          <p className="muted">{words.quiet.noMask}</p>
        ) : (
          <ul className="masks">
            {masked.slice(0, mostMasks).map(({ alarm, priority, context }) => (
              <li key={alarm.id}>
                <AlarmSymbol priority={priority} state="mask" size={18} />
                <span>
                  <b>{alarm.message === '' ? alarm.path : alarm.message}</b>
                  <small>{[context?.maskReason, context?.maskedBy].filter(Boolean).join(', ')}</small>
                </span>
                {context?.maskedUntil !== undefined && (
                  <time>
                    {words.list.until(time.when(Date.parse(context.maskedUntil), now).replace(/:\d\d$/, ''))}
                  </time>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
