import { sql } from 'kysely';
import type { TenantTransaction } from './tenant-transaction.ts';

/** Kinds of objects, each with identifiers of its own, which count from 1 in each tenant. */
export type Kind =
  | 'station'
  | 'data-server'
  | 'tag-group'
  | 'scenario'
  | 'media-file'
  | 'user'
  | 'api-key'
  | 'passkey'
  | 'channel'
  | 'call-group'
  | 'call-group-grouping'
  | 'call'
  | 'notice'
  | 'saved-view'
  | 'shift-note'
  | 'leave'
  | 'calendar'
  | 'site-plan'
  | 'approval'
  | 'issuer'
  | 'call-attempt';

export async function nextId(transaction: TenantTransaction, kind: Kind): Promise<number> {
  const { rows } = await sql<{ id: number }>`select next_id(${kind}) as id`.execute(transaction);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`no identifier for a ${kind}`);
  return id;
}
