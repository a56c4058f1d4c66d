-- Programs that an alarm asked for and that did not run: timelines show them, and a mask that ends has them run.
create index command_runs_of_alarm on command_runs (tenant_id, tag_id, occurrence_id)
  where status in ('queued', 'refused');
