-- The calls asked for by hand that are still open: how many a tenant may have is limited.
create index duties_requested on duties (tenant_id) where call_id is not null and closed_at is null;
