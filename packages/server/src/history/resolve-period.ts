import { parseDateTime } from '@tocsin/domain';
import { invalid } from '../common/problem.ts';
import { zoneOfStation } from '../plant/station.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Period } from './period.ts';

type PeriodQuery = { from?: string; to?: string; stationId?: number };

/** Reads `from` and `to`. Without an offset they are in the time zone of the station. */
export async function resolvePeriod(
  transaction: TenantTransaction,
  { from, to, stationId }: PeriodQuery,
): Promise<Period> {
  if (from === undefined && to === undefined) return {};
  const zone = await zoneOfStation(transaction, stationId);
  return { from: readInstant('from', from, zone), to: readInstant('to', to, zone) };
}

function readInstant(parameter: string, text: string | undefined, zone: string): Date | undefined {
  if (text === undefined) return undefined;
  const instant = parseDateTime(text, zone);
  if (!instant) throw invalid(parameter, `${text} is not an ISO 8601 date-time`);
  return instant;
}
