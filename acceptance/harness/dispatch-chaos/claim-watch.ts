import pg from 'pg';

/**
 * One change of a duty or an attempt that has to do with who holds it, as the database itself saw it. Times are epoch
 * milliseconds.
 */
export type ClaimRow = {
  kind: 'duty' | 'attempt';
  tenantId: number;
  id: number;
  /** Who made the change: `dispatcher 1, life 3`. */
  process: string;
  at: number;
  fenceBefore: number;
  fence: number;
  leaseBefore: number | null;
  /** What was stored that only the holder may store; empty when it was only claimed, closed or hung up. */
  result: string;
};

/**
 * The server stores a fence and forgets who had it. A trigger of ours writes that down: in the transaction of the
 * change, so that the record is whole whatever is killed. So it does with the transaction that closes a duty, of which
 * the database knows when it was committed: what the server stores is when it began. An acknowledgment counts whoever
 * tells it, nobody needs to hold a call in order to hang up, and what a provider tells of a call that it accepted may be
 * told to any server, by a call-back or because it asks: none of these is a result.
 */
const watchText = `
  create schema watch;
  create table watch.claims (
    number       bigint      generated always as identity primary key,
    kind         text        not null,
    tenant_id    bigint      not null,
    id           bigint      not null,
    process      text        not null default current_setting('application_name'),
    at           timestamptz not null default clock_timestamp(),
    fence_before bigint      not null,
    fence        bigint      not null,
    lease_before timestamptz,
    result       text        not null
  );
  create function watch.note_duty() returns trigger language plpgsql security definer as $$
  begin
    insert into watch.claims (kind, tenant_id, id, fence_before, fence, lease_before, result)
    values ('duty', new.tenant_id, new.id, old.fence, new.fence, old.lease_until,
      case when old.state is distinct from new.state then 'a state'
        when old.lease_until is not null and new.lease_until is null and new.closed_at is null then 'a due time'
        else '' end);
    return null;
  end $$;
  create function watch.note_attempt() returns trigger language plpgsql security definer as $$
  begin
    insert into watch.claims (kind, tenant_id, id, fence_before, fence, lease_before, result)
    values ('attempt', new.tenant_id, new.id, old.fence, new.fence, old.lease_until,
      case when old.outcome = new.outcome and new.outcome = 'queued' and new.lease_until is null then 'a due time'
        when old.outcome = new.outcome or new.outcome in ('cancelled', 'acknowledged') then ''
        when old.outcome = 'accepted' and old.lease_until is null then ''
        else new.outcome end);
    return null;
  end $$;
  create table watch.closings (tenant_id bigint, duty_id bigint, transaction xid, primary key (tenant_id, duty_id));
  create function watch.note_closing() returns trigger language plpgsql security definer as $$
  begin
    insert into watch.closings values (new.tenant_id, new.id, pg_current_xact_id()::xid);
    return null;
  end $$;
  create trigger watch_closings after update on duties for each row
    when (old.closed_at is null and new.closed_at is not null) execute function watch.note_closing();
  create trigger watch_claims after update on duties for each row
    when (old.fence <> new.fence or old.lease_until is distinct from new.lease_until
      or old.state is distinct from new.state) execute function watch.note_duty();
  create trigger watch_claims after update on call_attempts for each row
    when (old.fence <> new.fence or old.lease_until is distinct from new.lease_until
      or old.outcome <> new.outcome) execute function watch.note_attempt()`;

/** What a cluster must be told for that. */
export const watchSettings = ['track_commit_timestamp=on'];

export async function watchClaims(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(watchText);
  await client.end();
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const claimsText = `
  select w.kind, w.tenant_id::integer as "tenantId", w.id::integer, w.process, ${ms('w.at')} as at,
    w.fence_before::integer as "fenceBefore", w.fence::integer, ${ms('w.lease_before')} as "leaseBefore", w.result
  from watch.claims w
  left join duties d on w.kind = 'duty' and d.tenant_id = w.tenant_id and d.id = w.id
  left join call_attempts c on w.kind = 'attempt' and c.tenant_id = w.tenant_id and c.id = w.id
  join tags t on t.tenant_id = w.tenant_id and t.id = coalesce(d.tag_id, c.tag_id)
  where t.path like $1 order by w.number`;

/** All that was noted of the alarms whose paths are like this, in the order it happened. */
export async function readClaims(client: pg.Client, pathLike: string): Promise<ClaimRow[]> {
  const { rows } = await client.query<ClaimRow>(claimsText, [pathLike]);
  return rows;
}
