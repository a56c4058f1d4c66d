-- outside a transaction
-- The acknowledgments of before, tenant by tenant. Safe to repeat.
do $$
declare
  tenant bigint;
begin
  for tenant in select tenant_ids() loop
    perform set_config('tocsin.tenant', tenant::text, true);
    insert into acknowledgments
    select tenant_id, ack_user_id, id, raised_at from occurrences where tenant_id = tenant and ack_user_id is not null
    on conflict do nothing;
    commit;
  end loop;
end
$$;
