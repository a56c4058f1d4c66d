-- Background jobs find the tenants with work in one statement. Before, each server opened a transaction in every tenant,
-- whether it had any work or not. The functions may list a tenant too many, never one too few: the job decides in the
-- tenant's transaction. Each test below is one look into an index of the tenant, or reads a table of short-lived rows.
set local lock_timeout = '5s';

-- The role reads the columns that tell how old a row is, and nothing else.
create policy cross_tenant_reads on tags for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on text_months for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on closed_months for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on idempotency_keys for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on password_resets for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on approvals for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on log_in_steps for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on used_challenges for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on sign_ins for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on address_codes for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on calls for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on notices for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on duty_notices for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on provider_callbacks for select to tocsin_cross_tenant using (true);
create policy cross_tenant_reads on audit_heads for select to tocsin_cross_tenant using (true);
grant select (tenant_id, id, temporary) on tags to tocsin_cross_tenant;
grant select (tenant_id, month) on text_months to tocsin_cross_tenant;
grant select (tenant_id, first_open) on closed_months to tocsin_cross_tenant;
grant select (tenant_id, created_at) on idempotency_keys to tocsin_cross_tenant;
grant select (tenant_id, expires_at) on password_resets to tocsin_cross_tenant;
grant select (tenant_id, requested_at) on approvals to tocsin_cross_tenant;
grant select (tenant_id, expires_at) on log_in_steps to tocsin_cross_tenant;
grant select (tenant_id, expires_at) on used_challenges to tocsin_cross_tenant;
grant select (tenant_id, created_at) on sign_ins to tocsin_cross_tenant;
grant select (tenant_id, sent_at) on address_codes to tocsin_cross_tenant;
grant select (tenant_id, requested_at) on calls to tocsin_cross_tenant;
grant select (tenant_id, sent_at) on notices to tocsin_cross_tenant;
grant select (tenant_id, starts_at) on duty_notices to tocsin_cross_tenant;
grant select (tenant_id, received_at) on provider_callbacks to tocsin_cross_tenant;
grant select (tenant_id, number) on audit_heads to tocsin_cross_tenant;
grant select (ended_at) on command_runs to tocsin_cross_tenant;
grant select (at) on audit_entries to tocsin_cross_tenant;
grant select (at) on call_events to tocsin_cross_tenant;
grant select (last_used_at) on api_keys to tocsin_cross_tenant;
grant select (kind) on system_alarms to tocsin_cross_tenant;

-- Tenants with escalations, calls, commands or notices from before the month of `keep_from` (null: all are kept), or with
-- reports of providers from before `callbacks_before`.
create function tenants_with_old_calls(keep_from timestamptz, callbacks_before timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select t.id from tenant_ids() as t(id), date_trunc('month', keep_from, 'UTC') as cut
    where exists (select from provider_callbacks x where x.tenant_id = t.id and x.received_at < callbacks_before)
      or exists (select from escalations x where x.tenant_id = t.id and x.closed_at < cut)
      or exists (select from calls x where x.tenant_id = t.id and x.requested_at < cut)
      or exists (select from command_runs x where x.tenant_id = t.id and x.ended_at < cut)
      or exists (select from notices x where x.tenant_id = t.id and x.sent_at < cut)
      or exists (select from duty_notices x where x.tenant_id = t.id and x.starts_at < cut)
  $$;

-- Tenants with rows that the hourly clean-up deletes.
create function tenants_with_expired_rows(moment timestamptz, keys_before timestamptz, approvals_before timestamptz,
    sign_ins_before timestamptz, codes_before timestamptz, events_before timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    (select x.tenant_id from idempotency_keys x where x.created_at < keys_before
     union select x.tenant_id from sessions x where x.expires_at <= moment
     union select x.tenant_id from password_resets x where x.expires_at <= moment
     union select x.tenant_id from approvals x where x.requested_at < approvals_before
     union select x.tenant_id from log_in_steps x where x.expires_at <= moment
     union select x.tenant_id from used_challenges x where x.expires_at <= moment
     union select x.tenant_id from sign_ins x where x.created_at <= sign_ins_before
     union select x.tenant_id from address_codes x where x.sent_at < codes_before
     union select x.tenant_id from call_events x where x.at < events_before)
    intersect select tenant_ids()
  $$;

-- Tenants with alarms in a month before that of `until` that is not in the sums of closed months.
create function tenants_with_open_months(until timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select t.id from tenant_ids() as t(id) where exists (
      select from text_months m where m.tenant_id = t.id and m.month < month_of(until)
        and m.month >= coalesce((select c.first_open from closed_months c where c.tenant_id = t.id), 0))
  $$;

-- Tenants with temporary tags at rest since `resting_since`, without an alarm since `keep_from` (null: no alarm ever).
create function tenants_with_temporary_tags(resting_since timestamptz, keep_from timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select t.id from tenant_ids() as t(id) where exists (
      select from tags x join alarms a on a.tenant_id = t.id and a.tag_id = x.id
      where x.tenant_id = t.id and x.temporary and a.state = 0 and a.mask_until is null and a.last_change < resting_since
        and (a.occurrence_id = 0 or a.raised_at < date_trunc('month', keep_from, 'UTC')))
  $$;

-- Tenants with a raised system alarm of the kind.
create function tenants_with_system_alarms(wanted_kind text) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct tenant_id from system_alarms where raised and kind = wanted_kind $$;

-- Tenants with API keys that were used since `used_since` and expire until `until`.
create function tenants_with_expiring_keys(used_since timestamptz, until timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct tenant_id from api_keys
    where revoked_at is null and last_used_at > used_since and expires_at <= until
  $$;
-- Few keys expire.
create index api_keys_expiring on api_keys (expires_at) where revoked_at is null and expires_at is not null;

-- Tenants with audit entries from before this time.
create function tenants_with_old_audit_entries(before timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select t.id from tenant_ids() as t(id)
    where exists (select from audit_entries x where x.tenant_id = t.id and x.at < before)
  $$;

-- Those of the tenants that have no signed head of the audit entry, given by the same position of the arrays.
create function tenants_without_audit_head(wanted_tenants bigint[], numbers bigint[]) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.tenant_id from unnest(wanted_tenants, numbers) as w(tenant_id, number)
    where not exists (select from audit_heads h where h.tenant_id = w.tenant_id and h.number = w.number)
  $$;

do $$
declare
  made text;
begin
  foreach made in array array[
    'tenants_with_old_calls(timestamptz, timestamptz)',
    'tenants_with_expired_rows(timestamptz, timestamptz, timestamptz, timestamptz, timestamptz, timestamptz)',
    'tenants_with_open_months(timestamptz)',
    'tenants_with_temporary_tags(timestamptz, timestamptz)',
    'tenants_with_system_alarms(text)',
    'tenants_with_expiring_keys(timestamptz, timestamptz)',
    'tenants_with_old_audit_entries(timestamptz)',
    'tenants_without_audit_head(bigint[], bigint[])'
  ] loop
    execute format('alter function %s owner to tocsin_cross_tenant', made);
    execute format('revoke all on function %s from public', made);
    execute format('grant execute on function %s to tocsin_app', made);
  end loop;
end
$$;

-- Which background job is running, so that one server at a time runs it. It belongs to the installation.
create table upkeep_leases (
  job         text        primary key,
  lease_until timestamptz not null -- in the past when nobody runs it
);
grant select, insert, update on upkeep_leases to tocsin_app;
