-- outside a transaction
-- Finds the open escalations that should have called by now. Without it their watch read all open ones, also those that wait
-- for hours.
create index concurrently if not exists escalations_first_due on escalations (first_due_at)
  where closed_at is null and occasion in ('raised', 'requested');
