import { sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import { readPage } from '../postgres/collections/read-page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type RunFilter = {
  /** Stations the caller may see; undefined for all. */
  visibleStationIds: readonly number[] | undefined;
  alarmId?: number | undefined;
  scriptId?: number | undefined;
};

export type RunRow = {
  id: number;
  kind: string;
  scriptId: number;
  parameter: string;
  tagId: number;
  occasion: string;
  grantedBy: string;
  status: string;
  reason: string;
  listHash: string;
  orderedAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  exitCode: number | null;
  signal: string;
  output: string;
  outputCut: boolean;
  timeZone: string;
};

const columns = [
  'id',
  'kind',
  'scriptId',
  'parameter',
  'tagId',
  'occasion',
  'grantedBy',
  'status',
  'reason',
  'listHash',
  'orderedAt',
  'startedAt',
  'endedAt',
  'exitCode',
  'signal',
  // Cut, because a page holds up to a thousand runs.
  sql<string>`left(output, 8192)`.as('output'),
  sql<boolean>`output_cut or length(output) > 8192`.as('outputCut'),
  sql<string>`coalesce(
    (select s.time_zone from stations s where s.tenant_id = command_runs.tenant_id and s.id = command_runs.station_id),
    'UTC')`.as('timeZone'),
] as const;

export async function listRuns(
  transaction: TenantTransaction,
  { visibleStationIds, alarmId, scriptId }: RunFilter,
  page: PageRequest,
): Promise<{ rows: RunRow[]; total: number }> {
  let query = transaction
    .selectFrom('commandRuns')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId);
  if (visibleStationIds) {
    query = query.where(sql<boolean>`station_id = any(${[...visibleStationIds]}::bigint[])`);
  }
  if (alarmId !== undefined) query = query.where('tagId', '=', alarmId);
  if (scriptId !== undefined) query = query.where('scriptId', '=', scriptId);
  return readPage(query, page);
}
