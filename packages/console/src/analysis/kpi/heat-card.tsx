import type { AlarmKpis } from '@tocsin/contract';
import { useLanguage, useWords } from '../../words/use-words.ts';
import { ChartCard } from '../chart-card.tsx';
import { Table } from '../table.tsx';
import { heatLevel, heatSteps } from './axis.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
const [left, column, row] = [34, 14.8, 35];

/** The weekdays from Monday on, as the language shortens them. */
function useWeekdays(): readonly string[] {
  const format = new Intl.DateTimeFormat(useLanguage(), { weekday: 'short', timeZone: 'UTC' });
  // The first of June 2026 is a Monday.
  return Array.from({ length: 7 }, (_, day) => format.format(Date.UTC(2026, 5, 1 + day)));
}

/** The alarms by weekday and hour: what comes again each week is seen at once. */
export function HeatCard({ kpis: { weekdays } }: { readonly kpis: AlarmKpis }) {
  const words = useWords();
  const names = useWeekdays();
  return (
    <ChartCard
      title={words.kpi.heat}
      note={words.kpi.heatNote}
      kind="k-heat"
      chart={<HeatMap weekdays={weekdays} names={names} />}
      table={
        <Table
          label={words.kpi.heat}
          kind="tight"
          columns={[{ label: words.kpi.weekday }, ...names.map((label) => ({ label, isNumber: true }))]}
          rows={hours.map((hour) => ({
            key: hour,
            cells: [hourText(hour), ...weekdays.map((counts) => counts[hour] ?? 0)],
          }))}
        />
      }
    />
  );
}

type MapProps = { readonly weekdays: AlarmKpis['weekdays']; readonly names: readonly string[] };

function HeatMap({ weekdays, names }: MapProps) {
  const words = useWords().kpi;
  const cells = weekdays.flatMap((counts, day) => counts.map((count, hour) => ({ day, hour, count })));
  const most = cells.reduce((best, cell) => (cell.count > best.count ? cell : best), {
    day: 0,
    hour: 0,
    count: 0,
  });
  const steps = heatSteps(most.count);
  const x = (hour: number) => left + hour * column;
  const y = (day: number) => 6 + day * row;
  return (
    <svg
      className="chart"
      viewBox="0 0 392 300"
      role="img"
      aria-label={words.heatLabel(names[most.day] ?? '', hourText(most.hour), most.count)}
    >
      {names.map((name, day) => (
        <text key={name} x="0" y={y(day) + row / 2 + 3}>
          {name}
        </text>
      ))}
      {cells.map(({ day, hour, count }) => {
        const level = heatLevel(count, steps);
        return (
          <g key={`${day} ${hour}`}>
            <rect className={`h${level}`} x={x(hour)} y={y(day)} width={column - 1.4} height={row - 1.6} />
            {level >= 4 && count < 1_000 && (
              <text className="hn" x={x(hour) + (column - 1.4) / 2} y={y(day) + row / 2 + 3}>
                {count}
              </text>
            )}
          </g>
        );
      })}
      {most.count > 0 && (
        <rect
          className="pick"
          x={x(most.hour) - 1.5}
          y={y(most.day) - 1.5}
          width={column + 1.6}
          height={row + 1.4}
        />
      )}
      {[0, 6, 12, 18].map((hour) => (
        <text key={hour} x={x(hour)} y="267">
          {hourText(hour)}
        </text>
      ))}
      <Legend steps={steps} />
    </svg>
  );
}

function Legend({ steps }: { readonly steps: readonly number[] }) {
  const textOf = (level: number) => {
    const first = level === 0 ? 0 : (steps[level - 1] ?? 0) + 1;
    const last = steps[level];
    if (last === undefined) return `${first}+`;
    return first === last ? `${first}` : `${first}–${last}`;
  };
  return (
    <g transform={`translate(${left} 280)`}>
      {Array.from({ length: steps.length + 1 }, (_, level) => (
        <g key={textOf(level)} transform={`translate(${level * 59} 0)`}>
          <rect className={`h${level} key`} x="0" y="1" width="14" height="12" />
          <text x="18" y="11">
            {textOf(level)}
          </text>
        </g>
      ))}
    </g>
  );
}
