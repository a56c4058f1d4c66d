import type { AlarmKpis } from '@tocsin/contract';
import type { Words } from '../../words/use-words.ts';
import type { Cell } from '../csv.ts';
import { figuresOf } from './targets.ts';

/** All figures as one table: what, of which, and the number. */
export function kpiRows(kpis: AlarmKpis, words: Words): readonly (readonly Cell[])[] {
  const { analysis, kpi } = words;
  const group = (name: string) => name || analysis.noGroup;
  return [
    [kpi.title, kpis.from, kpis.to],
    [analysis.alarms, '', kpis.alarms],
    ...figuresOf(kpis).map(({ name, value }) => [kpi.figures[name], '', value]),
    ...kpis.days.map(({ day, alarms }) => [kpi.daysCard, day, alarms]),
    ...kpis.weekdays.flatMap((counts, day) =>
      counts.map((count, hour) => [kpi.heat, `${day + 1} ${String(hour).padStart(2, '0')}:00`, count]),
    ),
    ...kpis.priorities.map(({ priority, alarms }) => [kpi.mix, priority, alarms]),
    ...kpis.worst.items.map(({ tagName, alarms }) => [kpi.worst, tagName, alarms]),
    ...kpis.chattering.items.map(({ tagName, alarms }) => [kpi.chattering, tagName, alarms]),
    ...kpis.stale.items.map(({ tagName, duration }) => [kpi.stale, tagName, duration]),
    ...kpis.masked.items.map(({ tagName, reason }) => [kpi.masked, tagName, reason]),
    ...kpis.groups.map(({ name, reactionMeanTime }) => [kpi.toAcknowledge, group(name), reactionMeanTime]),
    ...kpis.groups.map(({ name, repairMeanTime }) => [kpi.toRepair, group(name), repairMeanTime]),
  ];
}
