import { ShiftSummary, ShiftSummaryQuery } from '@tocsin/contract';
import { invalid } from '../common/problem.ts';
import { resolvePeriod } from '../history/resolve-period.ts';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Principal } from '../http/principal.ts';
import { zoneOfStation } from '../plant/station.store.ts';
import { stationsFor } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readSummary } from './read-summary.ts';
import type { SummaryScope } from './shift-summary.store.ts';

const hour = 3_600_000;
const usualPeriod = 12 * hour;
/** Longer periods belong to the statistics, which are read from sums. */
const longestDays = 31;

export function shiftSummaryRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/shifts/summary',
    {
      config: { permission: 'history:read' },
      schema: {
        tags: ['shifts'],
        summary: 'What happened in a period: raised, open, returned, taken, failed calls, masks, rosters',
        querystring: ShiftSummaryQuery,
        response: { 200: ShiftSummary },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const scope = await scopeOf(transaction, principalOf(request), request.query);
        return readSummary(transaction, scope, await zoneOfStation(transaction, scope.stationIds?.[0]));
      }),
  );
}

async function scopeOf(
  transaction: TenantTransaction,
  { stationIds }: Principal,
  { from, to, stationId }: ShiftSummaryQuery,
): Promise<SummaryScope> {
  const visible = await stationsFor(transaction, stationIds, { stations: stationId });
  const chosen = stationId === undefined || visible !== stationIds ? visible : [stationId];
  const [zoneStation] = chosen ?? [];
  const asked = await resolvePeriod(transaction, {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(zoneStation !== undefined && { stationId: zoneStation }),
  });
  const end = asked.to ?? transaction.now;
  const start = asked.from ?? new Date(end.getTime() - usualPeriod);
  if (start >= end) throw invalid('from', 'must be before to');
  if (end.getTime() - start.getTime() > longestDays * 24 * hour)
    throw invalid('from', `must be at most ${longestDays} days before to`);
  return { from: start, to: end, stationIds: chosen };
}
