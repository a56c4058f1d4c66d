import { type AlarmKpis, largestKpiList } from '@tocsin/contract';
import { floodRuleFor, formatInZone } from '@tocsin/domain';
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
import { type KpiScope, resolveKpiScope } from './kpi-scope.store.ts';
import { readMasked, readStale } from './standing-alarms.store.ts';
import { readTenMinutes } from './ten-minutes.store.ts';
import { figuresOf } from './ten-minutes.ts';
import { readChattering, readWorstTags } from './worst-tags.store.ts';

/** The key figures of a period. The flood rule is that for this number of operators. */
export async function readKpis(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
  { period, operators }: { period: KpiPeriod; operators: number },
): Promise<AlarmKpis> {
  const asked = await resolveKpiScope(transaction, filter, period);
  const sums = await readGroupSums(transaction, asked);
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
    ...(await rateFigures(transaction, asked, operators)),
    priorities: toPriorities(sums),
    ...(await tagFigures(transaction, asked, response.alarms)),
    groups: toGroups(sums),
  };
}

async function rateFigures(transaction: TenantTransaction, asked: KpiScope, operators: number) {
  const { period } = asked;
  const rule = floodRuleFor(operators);
  const counted = await readTenMinutes(transaction, asked);
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

async function tagFigures(transaction: TenantTransaction, asked: KpiScope, alarms: number) {
  const worst = await readWorstTags(transaction, asked, largestKpiList);
  const chattering = await readChattering(transaction, asked, largestKpiList);
  const stale = await readStale(transaction, asked, largestKpiList);
  const masked = await readMasked(transaction, asked, largestKpiList);
  return {
    worst: toWorst(worst, chattering, alarms),
    chattering,
    stale: { total: stale.total, items: stale.items.map((row) => toStale(row, asked.period.until)) },
    masked: { total: masked.total, items: masked.items.map(toMasked) },
  };
}
