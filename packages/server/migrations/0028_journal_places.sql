-- Servers that have told clients of a journal look whether it is still the same one: after the restore of an older backup, or
-- a failover that lost the last commits, its numbers are given out again to other entries. An entry is known by its number and
-- its time.

create policy steward_reads on journal for select to tocsin_steward using (true);
grant select (tenant_id, seq, at) on journal to tocsin_steward;

-- How far the journals of these tenants have got, and when the entry that the server knows last took place: null when there
-- is no such entry, or none any more. It is looked for in the month of `known_at` first, so that one month is read for each.
create function journal_places(tenants bigint[], known_seqs bigint[], known_ats timestamptz[])
  returns table (tenant_id bigint, seq bigint, known_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select h.tenant_id, h.seq, coalesce(
      (select j.at from journal j where j.tenant_id = w.tenant_id and j.seq = w.seq
        and j.at >= w.at and j.at < w.at + interval '1 millisecond' limit 1),
      (select j.at from journal j where j.tenant_id = w.tenant_id and j.seq = w.seq limit 1))
    from unnest(tenants, known_seqs, known_ats) as w(tenant_id, seq, at)
    join heads h on h.tenant_id = w.tenant_id
  $$;
alter function journal_places(bigint[], bigint[], timestamptz[]) owner to tocsin_steward;
revoke all on function journal_places(bigint[], bigint[], timestamptz[]) from public;
grant execute on function journal_places(bigint[], bigint[], timestamptz[]) to tocsin_app;
