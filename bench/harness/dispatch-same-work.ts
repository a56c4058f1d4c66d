/**
 * What the database does for one duty that is called once, as plain statements of pgbench: taken, escalated, its attempt
 * taken, written down as being called, settled, and looked at once more. Nothing is decided and nothing is sent. Each
 * is a transaction by itself, for one duty at a time; the dispatcher does as many at once as there are.
 */
export const oneDutyScript = `
select id as duty from take_duties(1, clock_timestamp(), clock_timestamp() + interval '10 s') \\gset
begin;
select set_config('tocsin.tenant', '1', true);
select plan, state from duties where tenant_id = 1 and id = :duty for update;
insert into counters as c (tenant_id, kind, last) values (1, 'call-attempt', 1)
  on conflict (tenant_id, kind) do update set last = c.last + 1 returning last as attempt \\gset
insert into call_attempts (tenant_id, started_at, due_at, status, outcome, reason, id, call_id, tag_id, call_group_id,
    user_id, user_name, medium, address, message, attempt, search_text, duty_id, target, step, try, priority, urgency,
    avoid, station_id)
  select 1, clock_timestamp(), clock_timestamp(), 'Queued', 'queued', '', :attempt, null, d.tag_id, null,
    1, 'user', 'Voice', '+33100000000', d.plan -> 'message' ->> 'text', 1, 'user', d.id, 0, 1, 1, d.priority, d.urgency,
    '{}', d.station_id from duties d where d.tenant_id = 1 and d.id = :duty;
update duties set state = state || '{"closed": null}', due_at = clock_timestamp() + interval '600 s', lease_until = null
  where tenant_id = 1 and id = :duty;
commit;
select count(id) from take_attempts(1, clock_timestamp(), clock_timestamp() + interval '10 s', 100, '{}', '{}');
begin;
select set_config('tocsin.tenant', '1', true);
select c.*, d.plan -> 'message' from call_attempts c join duties d on d.tenant_id = 1 and d.id = c.duty_id
  where c.tenant_id = 1 and c.id = :attempt for update of c;
update call_attempts set outcome = 'calling', status = 'Calling', channel_id = 1, sent_at = clock_timestamp(),
  sent_as = id, lease_until = clock_timestamp() + interval '10 s' where tenant_id = 1 and id = :attempt;
commit;
begin;
select set_config('tocsin.tenant', '1', true);
select from duties where tenant_id = 1 and id = (select duty_id from call_attempts where tenant_id = 1 and id = :attempt)
  for update;
update call_attempts set outcome = 'accepted', reference = 'PC1', lease_until = null
  where tenant_id = 1 and id = :attempt;
update duties set due_at = clock_timestamp() where tenant_id = 1
  and id = (select duty_id from call_attempts where tenant_id = 1 and id = :attempt);
commit;
begin;
select set_config('tocsin.tenant', '1', true);
update duties set fence = fence + 1, lease_until = clock_timestamp() + interval '10 s' where tenant_id = 1 and id = :duty;
commit;
begin;
select set_config('tocsin.tenant', '1', true);
select d.plan, d.state, (select json_agg(c) from call_attempts c where c.tenant_id = 1 and c.duty_id = d.id)
  from duties d where d.tenant_id = 1 and d.id = :duty for update;
update duties set state = state || '{"closed": null}', due_at = clock_timestamp() + interval '600 s', lease_until = null
  where tenant_id = 1 and id = :duty;
commit;
`;
