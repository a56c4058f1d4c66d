import { Link } from '@tanstack/react-router';
import type { ConsoleHealth } from '@tocsin/contract';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { useAreas, useHealth } from '../services/queries.ts';
import { useLive } from '../services/use-live.ts';
import { roughDuration, spokenDuration } from '../time/durations.ts';
import { useSiteTime } from '../time/site-time.ts';
import { useNow } from '../time/use-now.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { DutyCard, MasksCard, ServerCard, SourcesCard, WaysCard } from './cards.tsx';
import { DayCard } from './day-chart.tsx';
import { callProof, newest, uncovered } from './proof.ts';

/** The proof that an empty list is empty because all is well. */
export function AllQuiet() {
  const health = useHealth();
  return (
    <div className="allquiet">
      <header className="qhead">
        <div>
          <Title />
          <LastAlarm last={health?.lastAlarm} />
        </div>
        {health && <Facts health={health} />}
      </header>
      {health && (
        <div className="qgrid">
          <SourcesCard health={health} />
          <WaysCard health={health} />
          <DutyCard health={health} />
          <ServerCard health={health} />
          <MasksCard health={health} />
          <DayCard />
        </div>
      )}
    </div>
  );
}

function Title() {
  const words = useWords().quiet;
  const language = useLanguage();
  const now = useNow();
  const active = useAlarms().rows.filter(({ state }) => state !== 'mask').length;
  const since = newest(useAreas('').map(({ quietSince }) => quietSince));
  if (active > 0) return <h1>{words.titleActive(active)}</h1>;
  const isLong = since !== undefined && now - since >= 60_000;
  return <h1>{isLong ? words.title(spokenDuration(now - since, language)) : words.titleNow}</h1>;
}

function LastAlarm({ last }: { readonly last: ConsoleHealth['lastAlarm'] }) {
  const words = useWords().quiet;
  const time = useSiteTime();
  const now = useNow();
  if (!last) return null;
  return (
    <p>
      {words.last} <b>{time.when(Date.parse(last.time), now)}</b>:{' '}
      <Link className="lnk" to="/alarms/$id" params={{ id: String(last.id) }}>
        {last.message === '' ? last.name : last.message}
      </Link>
    </p>
  );
}

/** Three facts that must be true, or an empty list means nothing. */
function Facts({ health }: { readonly health: ConsoleHealth }) {
  const words = useWords().quiet;
  const now = useNow();
  const { lastHeard } = useLive();
  const { down, channels, checkedAt } = callProof(health);
  const gaps = uncovered(health);
  const calls = () => {
    if (channels === 0) return words.noWays;
    if (down > 0) return words.down(down, channels);
    return checkedAt === undefined ? words.unproved : words.proved(roughDuration(now - checkedAt));
  };
  return (
    <dl className="qfacts">
      <div>
        <dt>{words.heard}</dt>
        <dd>{lastHeard === undefined ? words.never : words.ago(roughDuration(now - lastHeard))}</dd>
      </div>
      <div>
        <dt>{words.callsGoOut}</dt>
        <dd>{calls()}</dd>
      </div>
      {health.onDuty && (
        <div>
          <dt>{words.somebody}</dt>
          <dd>{words.covered(health.onDuty.length - gaps.length, health.onDuty.length)}</dd>
        </div>
      )}
    </dl>
  );
}
