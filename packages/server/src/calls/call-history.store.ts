import { sql } from 'kysely';
import type { Period } from '../history/period.ts';
import type { PageRequest } from '../http/page.ts';
import { equalsIfGiven } from '../postgres/collections/filters.ts';
import { readPage } from '../postgres/collections/read-page.ts';
import { searchMatches } from '../postgres/collections/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { CallStatus } from './call.store.ts';

export type AttemptFilter = Period & {
  /** Stations the caller may see; undefined for all. */
  visibleStationIds: readonly number[] | undefined;
  userId?: number | undefined;
  callGroupId?: number | undefined;
  alarmId?: number | undefined;
  search?: string | undefined;
};

export type AttemptRow = {
  id: number;
  callId: number | null;
  tagId: number | null;
  callGroupId: number | null;
  userId: number;
  userName: string;
  medium: string;
  address: string;
  message: string;
  attempt: number;
  status: CallStatus;
  reason: string;
  startedAt: Date;
  endedAt: Date | null;
  acknowledgedAt: Date | null;
  timeZone: string;
};

const columns = [
  'id',
  'callId',
  'tagId',
  'callGroupId',
  'userId',
  'userName',
  'medium',
  'address',
  'message',
  'attempt',
  sql<CallStatus>`status`.as('status'),
  'reason',
  'startedAt',
  'endedAt',
  'acknowledgedAt',
  sql<string>`coalesce(
    (select s.time_zone from stations s
     where s.tenant_id = call_attempts.tenant_id and s.id = call_attempts.station_id),
    'UTC')`.as('timeZone'),
] as const;

export async function listAttempts(
  transaction: TenantTransaction,
  { visibleStationIds, userId, callGroupId, alarmId, search, from, to }: AttemptFilter,
  page: PageRequest,
): Promise<{ rows: AttemptRow[]; total: number }> {
  let query = transaction
    .selectFrom('callAttempts')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('noticeId', 'is', null)
    .where(searchMatches('searchText', search))
    .where(equalsIfGiven('userId', userId))
    .where(equalsIfGiven('callGroupId', callGroupId))
    .where(equalsIfGiven('tagId', alarmId));
  if (visibleStationIds)
    query = query.where(sql<boolean>`station_id = any(${[...visibleStationIds]}::bigint[])`);
  if (from) query = query.where('startedAt', '>=', from);
  if (to) query = query.where('startedAt', '<', to);
  return readPage(query, page);
}
