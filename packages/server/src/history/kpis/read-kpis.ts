import { type AlarmKpis, largestKpiList } from '@tocsin/contract';
import { floodRuleFor, formatInZone } from '@tocsin/domain';
import { awaitPipelined } from '../../postgres/pipeline.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { OccurrenceFilter } from '../occurrence-filter.store.ts';
import { readGroupSums } from './group-sums.store.ts';
import {
  shareOf,
  toGroups,
  toMasked,
  toPriorities,
  toResponse,
  toStale,
  toTenMinutes,
  toWorst,
} from './kpi.wire.ts';
import type { KpiPeriod } from './kpi-period.ts';
import { resolveKpiScope } from './kpi-scope.store.ts';
import { readMasked, readStale } from './standing-alarms.store.ts';
import { readTenMinutes } from './ten-minutes.store.ts';
import { figuresOf, type TenMinutes } from './ten-minutes.ts';
import { readChattering, readWorstTags } from './worst-tags.store.ts';

/** The key figures of a period. The flood rule is that for this number of operators. */
export async function readKpis(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
  { period, operators }: { period: KpiPeriod; operators: number },
): Promise<AlarmKpis> {
  const asked = await resolveKpiScope(transaction, filter, period);
  // The longest first: this process works on the others meanwhile.
  const [worst, chattering, sums, counted, stale, masked] = await awaitPipelined([
    readWorstTags(transaction, asked, largestKpiList),
    readChattering(transaction, asked, largestKpiList),
    readGroupSums(transaction, asked),
    readTenMinutes(transaction, asked),
    readStale(transaction, asked, largestKpiList),
    readMasked(transaction, asked, largestKpiList),
  ]);
  const { from, to, until, zone } = period;
  const hours = (until.getTime() - from.getTime()) / 3_600_000;
  const response = toResponse(sums);
  return {
    from: formatInZone(zone, from),
    to: formatInZone(zone, to),
    timeZone: zone,
    operators,
    ...response,
    alarmsPerHour: hours === 0 ? 0 : response.alarms / hours / operators,
    ...rateFigures(counted, period, operators),
    priorities: toPriorities(sums),
    worst: toWorst(worst, chattering, response.alarms),
    chattering,
    stale: { total: stale.total, items: stale.items.map((row) => toStale(row, until)) },
    masked: { total: masked.total, items: masked.items.map(toMasked) },
    groups: toGroups(sums),
  };
}

function rateFigures(counted: TenMinutes, period: KpiPeriod, operators: number) {
  const rule = floodRuleFor(operators);
  const { busiest, floods, tenMinutesAbove, floodSeconds, days, weekdays } = figuresOf(counted, period, rule);
  const seconds = (period.until.getTime() - period.from.getTime()) / 1000;
  return {
    ...(busiest && { busiest: { at: formatInZone(period.zone, busiest.at), alarms: busiest.alarms } }),
    flood: { ...rule, floods, tenMinutesAbove, seconds: floodSeconds, share: shareOf(floodSeconds, seconds) },
    ...toTenMinutes(counted, period),
    days,
    weekdays,
  };
}
