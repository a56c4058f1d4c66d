import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { AlarmKpis } from '@tocsin/contract';
import type { ReactNode } from 'react';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { Button } from '../../frame/button.tsx';
import { useMeta } from '../../services/queries.ts';
import { reasonOf } from '../../services/reason-of.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useLanguage, useWords } from '../../words/use-words.ts';
import { kpiCall, useKpis } from '../analysis-queries.ts';
import { DayBars } from '../day-bars.tsx';
import { shown } from '../durations.ts';
import { StationChip } from '../filter-chips.tsx';
import { useFigureText } from '../kpi/kpi-tiles.tsx';
import { MixCard } from '../kpi/mix-card.tsx';
import { ResponseTable } from '../kpi/side-cards.tsx';
import { figuresOf } from '../kpi/targets.ts';
import { TagLink, WorstTable } from '../kpi/worst-card.tsx';
import { lastMonth, monthOf, type Period } from '../period.ts';
import { Table } from '../table.tsx';
import { useZone } from '../use-zone.ts';
import { PeopleSection } from './people-section.tsx';
import type { ReportSearch } from './report-search.ts';

const route = getRouteApi('/desk/report');

/** A calendar month on paper. */
export function ReportPage() {
  const words = useWords();
  const search = route.useSearch();
  const now = useNow();
  const zone = useZone(search.stationId);
  const month = search.month ?? lastMonth(now, zone);
  const period = monthOf(month, zone);
  const filters = { stationId: search.stationId, operators: search.operators };
  const { data: kpis, error } = useKpis(period, filters);
  return (
    <main className="reportpage">
      <article className="areport">
        <ReportHead search={search} month={month} period={period} now={now} />
        {error && (
          <p className="wrong" role="alert">
            {words.actions.failed(words.analysis.reading, reasonOf(error))}
          </p>
        )}
        {kpis && Date.parse(kpis.from) === period.from && (
          <>
            <Figures kpis={kpis} />
            <Section
              title={words.report.perDay}
              note={words.report.floodTime(shown(hms(kpis.flood.seconds)))}
            >
              <DayBars days={kpis.days} height={110} width={760} />
            </Section>
            <MixCard kpis={kpis} />
            <Section title={words.kpi.worst}>
              <WorstTable tags={kpis.worst.items.slice(0, 10)} />
            </Section>
            <Section title={words.kpi.response} note={words.kpi.responseNote}>
              <ResponseTable groups={kpis.groups.slice(0, 12)} />
            </Section>
            <Standing kpis={kpis} />
            <Section title={words.report.people} note={words.report.peopleNote}>
              <PeopleSection period={period} filters={filters} />
            </Section>
          </>
        )}
      </article>
    </main>
  );
}

const hms = (seconds: number) =>
  [seconds / 3_600, (seconds / 60) % 60, seconds % 60].map((part) => Math.floor(part)).join(':');

type SectionProps = { readonly title: string; readonly note?: string; readonly children: ReactNode };

function Section({ title, note, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <h2>
        {title} {note !== undefined && <small>{note}</small>}
      </h2>
      {children}
    </section>
  );
}

type HeadProps = {
  readonly search: ReportSearch;
  readonly month: string;
  readonly period: Period;
  readonly now: number;
};

function ReportHead({ search, month, period, now }: HeadProps) {
  const words = useWords();
  const language = useLanguage();
  const navigate = useNavigate();
  const name = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-15`),
  );
  const filters = { stationId: search.stationId, operators: search.operators };
  const go = (next: ReportSearch) => void navigate({ to: '/report', search: next, replace: true });
  return (
    <header>
      <div>
        <h1>{words.report.title(name)}</h1>
        <p className="noprint">{words.report.lead}</p>
        {period.to > now && <p>{words.report.notOver}</p>}
        <Printed now={now} />
      </div>
      <div className="atools noprint">
        <Link className="btn sm ghost" to="/kpis" search={filters}>
          <Icon name="chart-column" />
          <span>{words.report.back}</span>
        </Link>
        <input
          className="chip"
          type="month"
          aria-label={words.report.month}
          value={month}
          onChange={({ target }) => target.value !== '' && go({ ...search, month: target.value })}
        />
        <StationChip value={search.stationId} onChange={(stationId) => go({ ...search, stationId })} />
        <ApiCallButton call={kpiCall(period, filters)} of={words.report.title(name)} />
        <Button label={words.report.print} icon="printer" kind="sm" onClick={() => print()} />
      </div>
    </header>
  );
}

/** On paper only: of which plant it is, and who has printed it when. */
function Printed({ now }: { readonly now: number }) {
  const words = useWords().report;
  const time = useSiteTime();
  const meta = useMeta();
  if (!meta) return null;
  const when = `${time.date(now)} ${time.clock(now)}, ${time.offset(now)}`;
  return <p className="printonly">{words.printed(meta.tenant.name, when, meta.user.name)}</p>;
}

function Figures({ kpis }: { readonly kpis: AlarmKpis }) {
  const words = useWords();
  const show = useFigureText(kpis);
  return (
    <Section title={words.report.figures}>
      <Table
        label={words.report.figures}
        columns={[
          { label: words.report.figure },
          { label: words.report.value, isNumber: true },
          { label: words.report.target },
          { label: words.report.verdict },
        ]}
        rows={[
          { key: 'alarms', cells: [words.analysis.alarms, kpis.alarms, '', ''] },
          ...figuresOf(kpis).map((figure) => {
            const { value, unit, target } = show(figure);
            return {
              key: figure.name,
              cells: [
                words.kpi.figures[figure.name],
                `${value} ${unit}`.trim(),
                target,
                figure.verdict === 'none' ? '' : words.kpi.verdict[figure.verdict],
              ],
            };
          }),
        ]}
      />
    </Section>
  );
}

/** Stale and masked alarms, and chattering tags. */
function Standing({ kpis: { chattering, stale, masked } }: { readonly kpis: AlarmKpis }) {
  const words = useWords();
  const lines = [
    ...chattering.items.map((tag) => ({
      tag,
      what: words.kpi.chattering,
      fact: words.kpi.raises(tag.alarms),
    })),
    ...stale.items.map((tag) => ({ tag, what: words.kpi.stale, fact: shown(tag.duration) })),
    ...masked.items.map((tag) => ({
      tag,
      what: words.kpi.masked,
      fact: words.kpi.maskedBy(tag.user, tag.reason),
    })),
  ];
  if (lines.length === 0) return null;
  const title = `${words.kpi.chattering}, ${words.kpi.stale}, ${words.kpi.masked}`;
  return (
    <Section title={title}>
      <Table
        label={title}
        columns={[
          { label: words.analysis.tag },
          { label: words.report.figure },
          { label: words.report.value },
        ]}
        rows={lines.map(({ tag, what, fact }) => ({
          key: `${what} ${tag.tagId}`,
          cells: [<TagLink key="tag" tag={tag} />, what, fact],
        }))}
      />
    </Section>
  );
}
