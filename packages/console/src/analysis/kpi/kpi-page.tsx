import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { AlarmKpis } from '@tocsin/contract';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { Button } from '../../frame/button.tsx';
import { reasonOf } from '../../services/reason-of.ts';
import { useMay } from '../../services/use-may.ts';
import { Icon } from '../../symbols/icon.tsx';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import { type Filters, kpiCall, useKpis } from '../analysis-queries.ts';
import { saveCsv } from '../csv.ts';
import { ChoiceChip, PeriodChooser, StationChip } from '../filter-chips.tsx';
import { type Period, periodOf } from '../period.ts';
import { useZone } from '../use-zone.ts';
import { HeatCard } from './heat-card.tsx';
import { kpiRows } from './kpi-csv.ts';
import { type KpiSearch, operatorChoices } from './kpi-search.ts';
import { KpiTiles } from './kpi-tiles.tsx';
import { MixCard } from './mix-card.tsx';
import { RateCard } from './rate-card.tsx';
import { ResponseCard, TagLists } from './side-cards.tsx';
import { figuresOf } from './targets.ts';
import { WorstCard } from './worst-card.tsx';

const route = getRouteApi('/desk/kpis');

/** How well the alarm system serves the people at the desk. */
export function KpiPage() {
  const words = useWords();
  const search = route.useSearch();
  const navigate = useNavigate();
  const zone = useZone(search.stationId);
  const period = periodOf(search, useNow(), zone);
  const filters = { stationId: search.stationId, operators: search.operators };
  const may = useMay().has('history:read');
  const { data: kpis, error } = useKpis(period, filters, may);
  const go = (next: KpiSearch) => void navigate({ to: '/kpis', search: next, replace: true });
  return (
    <main className="kpipage">
      <KpiHead search={search} period={period} filters={filters} kpis={kpis} onChange={go} />
      {!may && <p className="wrong">{words.analysis.notAllowed}</p>}
      {error && (
        <p className="wrong" role="alert">
          {words.actions.failed(words.analysis.reading, reasonOf(error))}
        </p>
      )}
      {kpis && (
        <>
          <KpiTiles kpis={kpis} />
          <RateCard kpis={kpis} filters={filters} day={search.day} onDay={(day) => go({ ...search, day })} />
          <MixCard kpis={kpis} />
          <WorstCard kpis={kpis} />
          <HeatCard kpis={kpis} />
          <div className="k-side">
            <ResponseCard kpis={kpis} />
            <TagLists kpis={kpis} />
          </div>
        </>
      )}
    </main>
  );
}

type HeadProps = {
  readonly search: KpiSearch;
  readonly period: Period;
  readonly filters: Filters;
  readonly kpis: AlarmKpis | undefined;
  readonly onChange: (search: KpiSearch) => void;
};

function KpiHead({ search, period, filters, kpis, onChange }: HeadProps) {
  const words = useWords();
  const zone = useZone(search.stationId);
  const { stationId, operators } = search;
  return (
    <header className="ahead">
      <div className="atitle">
        <h1>{words.kpi.title}</h1>
        <p>{words.kpi.lead}</p>
      </div>
      <div className="atools">
        <PeriodChooser
          search={search}
          shown={period}
          zone={zone}
          onChange={(chosen) => onChange({ ...chosen, stationId, operators })}
        />
        <StationChip value={stationId} onChange={(id) => onChange({ ...search, stationId: id })} />
        <ChoiceChip
          label={words.kpi.operators}
          none="1"
          choices={operatorChoices.slice(1).map((id) => ({ id, name: String(id) }))}
          value={operators === 1 ? undefined : operators}
          onChange={(number) => onChange({ ...search, operators: number })}
        />
        <span className="fill" />
        {kpis && <Verdicts kpis={kpis} />}
        <ApiCallButton call={kpiCall(period, filters)} of={words.kpi.title} />
        <Button
          label={words.analysis.csv}
          icon="download"
          kind="sm"
          disabled={!kpis}
          onClick={() => kpis && saveCsv(`kpi-${kpis.from.slice(0, 10)}`, kpiRows(kpis, words))}
        />
        <Link className="btn sm" to="/report" search={{ stationId, operators }}>
          <Icon name="printer" />
          <span>{words.kpi.report}</span>
        </Link>
      </div>
    </header>
  );
}

function Verdicts({ kpis }: { readonly kpis: AlarmKpis }) {
  const words = useWords().kpi;
  const verdicts = figuresOf(kpis).map(({ verdict }) => verdict);
  const count = (verdict: string) => verdicts.filter((one) => one === verdict).length;
  return <span className="muted fs12">{words.verdicts(count('ok'), count('near'), count('over'))}</span>;
}
