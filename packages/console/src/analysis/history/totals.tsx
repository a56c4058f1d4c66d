import { useWords } from '../../words/use-words.ts';
import { type Filters, useKpis } from '../analysis-queries.ts';
import { DayBars } from '../day-bars.tsx';
import { shown } from '../durations.ts';
import { useNumbers } from '../numbers.ts';
import type { Period } from '../period.ts';

type Props = { readonly period: Period; readonly filters: Filters };

/** The period in a few numbers. */
export function Totals({ period, filters }: Props) {
  const words = useWords().histories;
  const numbers = useNumbers();
  const { data: kpis } = useKpis(period, filters);
  if (!kpis) return null;
  const { alarms, acknowledged, reactionMeanTime, repairMeanTime, flood, days } = kpis;
  const totals = [
    [numbers.count(alarms), words.totals.alarms],
    [numbers.count(acknowledged), words.totals.acknowledged],
    [shown(reactionMeanTime), words.totals.taken],
    [shown(repairMeanTime), words.totals.repaired],
    [numbers.count(flood.floods), words.totals.floods],
  ] as const;
  return (
    <div className="totals">
      {totals.map(([value, label]) => (
        <div key={label}>
          <b>{value}</b>
          {label}
        </div>
      ))}
      <div className="spark">
        <DayBars days={days} height={44} />
      </div>
    </div>
  );
}
