import pg from 'pg';

/**
 * One change of the lease or result of an escalation or an attempt, recorded by a trigger. Times are epoch milliseconds.
 */
export type ClaimRow = {
  kind: 'escalation' | 'attempt';
  tenantId: number;
  id: number;
  /** Process that made the change: `dispatcher 1, start 3`. */
  process: string;
  at: number;
  previousFencingToken: number;
  fencingToken: number;
  leaseBefore: number | null;
  /** Stored result that needs the lease; empty for a claim, a closing or a hang-up. */
  result: string;
};

/**
 * The server stores fencing tokens without their holders. These triggers record the holder in the transaction of the change,
 * so that the record is complete whatever process is killed. They also record the transaction that closes an escalation,
 * because its commit time is needed and the server stores its start. Acknowledgments, hang-ups and reports of a provider
 * about an accepted call need no lease, so they are no results.
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
    previous_fencing_token bigint      not null,
    fencing_token        bigint      not null,
    lease_before timestamptz,
    result       text        not null
  );
  create function watch.note_escalation() returns trigger language plpgsql security definer as $$
  begin
    insert into watch.claims (kind, tenant_id, id, previous_fencing_token, fencing_token, lease_before, result)
    values ('escalation', new.tenant_id, new.id, old.fencing_token, new.fencing_token, old.lease_until,
      case when old.state is distinct from new.state then 'a state'
        when old.lease_until is not null and new.lease_until is null and new.closed_at is null then 'a due time'
        else '' end);
    return null;
  end $$;
  create function watch.note_attempt() returns trigger language plpgsql security definer as $$
  begin
    insert into watch.claims (kind, tenant_id, id, previous_fencing_token, fencing_token, lease_before, result)
    values ('attempt', new.tenant_id, new.id, old.fencing_token, new.fencing_token, old.lease_until,
      case when old.outcome = new.outcome and new.outcome = 'queued' and new.lease_until is null then 'a due time'
        when old.outcome = new.outcome or new.outcome in ('cancelled', 'acknowledged') then ''
        when old.outcome in ('accepted', 'ringing', 'answered') and old.lease_until is null then ''
        else new.outcome end);
    return null;
  end $$;
  create table watch.closings (tenant_id bigint, escalation_id bigint, transaction xid, primary key (tenant_id, escalation_id));
  create function watch.note_closing() returns trigger language plpgsql security definer as $$
  begin
    insert into watch.closings values (new.tenant_id, new.id, pg_current_xact_id()::xid);
    return null;
  end $$;
  create trigger watch_closings after update on escalations for each row
    when (old.closed_at is null and new.closed_at is not null) execute function watch.note_closing();
  create trigger watch_claims after update on escalations for each row
    when (old.fencing_token <> new.fencing_token or old.lease_until is distinct from new.lease_until
      or old.state is distinct from new.state) execute function watch.note_escalation();
  create trigger watch_claims after update on call_attempts for each row
    when (old.fencing_token <> new.fencing_token or old.lease_until is distinct from new.lease_until
      or old.outcome <> new.outcome) execute function watch.note_attempt()`;

/** Settings of PostgreSQL that the triggers need. */
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
    w.previous_fencing_token::integer as "previousFencingToken", w.fencing_token::integer as "fencingToken", ${ms('w.lease_before')} as "leaseBefore", w.result
  from watch.claims w
  left join escalations d on w.kind = 'escalation' and d.tenant_id = w.tenant_id and d.id = w.id
  left join call_attempts c on w.kind = 'attempt' and c.tenant_id = w.tenant_id and c.id = w.id
  join tags t on t.tenant_id = w.tenant_id and t.id = coalesce(d.tag_id, c.tag_id)
  where t.path like $1 order by w.number`;

/** The recorded changes for the alarms whose paths match, in order. */
export async function readClaims(client: pg.Client, pathLike: string): Promise<ClaimRow[]> {
  const { rows } = await client.query<ClaimRow>(claimsText, [pathLike]);
  return rows;
}
