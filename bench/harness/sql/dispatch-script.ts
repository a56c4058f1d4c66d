/**
 * The statements for one escalation with one call, as a script of pgbench: claim the escalation, create an attempt, claim it,
 * mark it as calling, settle it, and advance the escalation. Nothing is decided or sent. Each step is a transaction for one
 * escalation; the dispatcher handles many at once.
 */
export const oneEscalationScript = `
select id as escalation from claim_escalations(1, clock_timestamp(), clock_timestamp() + interval '10 s') \\gset
begin;
select set_config('tocsin.tenant', '1', true);
select plan, state from escalations where tenant_id = 1 and id = :escalation for update;
insert into id_counters as c (tenant_id, kind, last) values (1, 'call-attempt', 1)
  on conflict (tenant_id, kind) do update set last = c.last + 1 returning last as attempt \\gset
insert into call_attempts (tenant_id, started_at, due_at, status, outcome, reason, id, call_id, tag_id, call_group_id,
    user_id, user_name, medium, address, message, attempt, search_text, escalation_id, target, step, try, priority, urgency,
    avoid, station_id)
  select 1, clock_timestamp(), clock_timestamp(), 'Queued', 'queued', '', :attempt, null, d.tag_id, null,
    1, 'user', 'Sms', '+33600000000', d.plan -> 'message' ->> 'text', 1, 'user', d.id, 0, 1, 1, d.priority, d.urgency,
    '{}', d.station_id from escalations d where d.tenant_id = 1 and d.id = :escalation;
update escalations set state = state || '{"closed": null}', due_at = clock_timestamp() + interval '600 s', lease_until = null
  where tenant_id = 1 and id = :escalation;
commit;
select count(id) from claim_attempts(1, clock_timestamp(), clock_timestamp() + interval '10 s', 100, '{}', '{}');
begin;
select set_config('tocsin.tenant', '1', true);
select c.*, d.plan -> 'message' from call_attempts c join escalations d on d.tenant_id = 1 and d.id = c.escalation_id
  where c.tenant_id = 1 and c.id = :attempt for update of c;
update call_attempts set outcome = 'calling', status = 'Calling', channel_id = 1, sent_at = clock_timestamp(),
  sent_as = id, lease_until = clock_timestamp() + interval '10 s' where tenant_id = 1 and id = :attempt;
commit;
begin;
select set_config('tocsin.tenant', '1', true);
select from escalations where tenant_id = 1 and id = (select escalation_id from call_attempts where tenant_id = 1 and id = :attempt)
  for update;
update call_attempts set outcome = 'accepted', reference = 'PC1', lease_until = null
  where tenant_id = 1 and id = :attempt;
update escalations set due_at = clock_timestamp() where tenant_id = 1
  and id = (select escalation_id from call_attempts where tenant_id = 1 and id = :attempt);
commit;
begin;
select set_config('tocsin.tenant', '1', true);
update escalations set fencing_token = fencing_token + 1, lease_until = clock_timestamp() + interval '10 s' where tenant_id = 1 and id = :escalation;
commit;
begin;
select set_config('tocsin.tenant', '1', true);
select d.plan, d.state, (select json_agg(c) from call_attempts c where c.tenant_id = 1 and c.escalation_id = d.id)
  from escalations d where d.tenant_id = 1 and d.id = :escalation for update;
update escalations set state = state || '{"closed": null}', due_at = clock_timestamp() + interval '600 s', lease_until = null
  where tenant_id = 1 and id = :escalation;
commit;
`;
