import type { AlarmKpis, KpiDay } from '@tocsin/contract';
import { Icon } from '../../symbols/icon.tsx';
import { useSiteTime } from '../../time/site-time.ts';
import { useWords } from '../../words/use-words.ts';
import { type Filters, kpiCall, useKpis } from '../analysis-queries.ts';
import { ChartCard } from '../chart-card.tsx';
import { addDays, startOfDay } from '../period.ts';
import { Table } from '../table.tsx';
import { barsOf, RateChart } from './rate-chart.tsx';

type Props = {
  readonly kpis: AlarmKpis;
  readonly filters: Filters;
  readonly day: string | undefined;
  readonly onDay: (day: string) => void;
};

/** The ten minutes of one day. The busiest day is shown first. */
export function RateCard({ kpis, filters, day: chosen, onDay }: Props) {
  const words = useWords();
  const time = useSiteTime();
  const { days, timeZone, flood } = kpis;
  const busiest = busiestOf(days);
  const shown = days.find(({ day }) => day === chosen) ?? busiest;
  const day = shown?.day ?? dayOfStart(kpis);
  const period = { from: startOfDay(day, timeZone), to: startOfDay(addDays(day, 1), timeZone) };
  const { data } = useKpis(period, filters);
  const name = time.date(period.from);
  const isLoaded = data !== undefined && Date.parse(data.from) === period.from;
  const bars = isLoaded ? barsOf(data.tenMinutes ?? [], period) : [];
  const note = words.kpi.rateNote(name, shown?.alarms ?? 0);
  return (
    <ChartCard
      title={words.kpi.rate}
      note={day === busiest?.day && days.length > 1 ? `${note}, ${words.kpi.busiestDay}` : note}
      kind="k-rate"
      call={kpiCall(period, filters)}
      tools={<DayChooser days={days} day={day} onDay={onDay} />}
      chart={<RateChart bars={bars} period={period} limit={flood.limit} name={name} />}
      table={
        <Table
          label={words.kpi.rate}
          columns={[{ label: words.kpi.from }, { label: words.analysis.alarms, isNumber: true }]}
          rows={bars.map(({ at, alarms }) => ({ key: at, cells: [time.clock(at).slice(0, 5), alarms] }))}
        />
      }
    />
  );
}

const dayOfStart = ({ from }: AlarmKpis) => from.slice(0, 10);

function busiestOf(days: readonly KpiDay[]): KpiDay | undefined {
  return days.reduce<KpiDay | undefined>(
    (best, day) => (best && best.alarms >= day.alarms ? best : day),
    undefined,
  );
}

type ChooserProps = {
  readonly days: readonly KpiDay[];
  readonly day: string;
  readonly onDay: (day: string) => void;
};

const mostButtons = 8;

/** A button for each day of a week; a list for more days. */
function DayChooser({ days, day: chosen, onDay }: ChooserProps) {
  const words = useWords().analysis;
  const time = useSiteTime();
  const nameOf = (day: string) => time.date(Date.parse(`${day}T12:00:00Z`));
  if (days.length < 2) return null;
  if (days.length <= mostButtons)
    return (
      <span className="seg" role="group" aria-label={words.day}>
        {days.map(({ day }) => (
          <button
            key={day}
            type="button"
            aria-pressed={day === chosen}
            aria-label={nameOf(day)}
            onClick={() => onDay(day)}
          >
            {nameOf(day).split(' ')[0]?.replace(/[.,]$/, '')}
          </button>
        ))}
      </span>
    );
  return (
    <label className="chip">
      <span>{words.day}</span>
      <select value={chosen} onChange={({ target }) => onDay(target.value)}>
        {days.toReversed().map(({ day, alarms }) => (
          <option key={day} value={day}>
            {nameOf(day)}: {alarms}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={12} />
    </label>
  );
}
