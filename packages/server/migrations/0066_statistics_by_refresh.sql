-- `refresh_statistics`, which servers run every five seconds, analyzes tables of which a fifth has changed, from a sample of 3,000
-- rows. Autovacuum analyzed these tables besides, from 30,000 wide rows: seconds of a processor while alarms waited.
set local lock_timeout = '1s';
do $$
declare
  changing text;
begin
  foreach changing in array array['alarms', 'tags', 'texts', 'escalations', 'call_attempts'] loop
    execute format('alter table %I set (autovacuum_analyze_threshold = 2000000000)', changing);
  end loop;
end
$$;
