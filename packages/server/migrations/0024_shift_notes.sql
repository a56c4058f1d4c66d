-- Shifts: notes that the outgoing and the incoming shift sign, and what the summary of a period needs to be fast.
set local lock_timeout = '5s';

create table shift_notes (
  tenant_id   bigint      not null references tenants (id),
  id          bigint      not null,
  station_id  bigint,     -- null for all stations
  starts_at   timestamptz not null,
  ends_at     timestamptz not null check (starts_at < ends_at),
  text        text        not null,
  author      text        not null, -- who wrote it last
  outgoing_by text,       -- the name at that time
  outgoing_id text,       -- `user:7`
  outgoing_at timestamptz,
  incoming_by text,
  incoming_id text check (incoming_id <> outgoing_id),
  incoming_at timestamptz check (incoming_at is null or outgoing_at is not null),
  version     integer     not null default 1,
  last_change timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, station_id) references stations (tenant_id, id)
);
create index shift_notes_time on shift_notes (tenant_id, starts_at, id);
call protect_tenant_table('shift_notes');
grant select, insert, update, delete on shift_notes to tocsin_app;

-- What a shift has signed stays: only the signature of the incoming shift is added to it.
create function refuse_changes_of_signed_notes() returns trigger language plpgsql as $$
begin
  if old.outgoing_at is null then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'UPDATE' and old.incoming_at is null
    and (to_jsonb(new) - '{incoming_by,incoming_id,incoming_at,version,last_change}'::text[])
      = (to_jsonb(old) - '{incoming_by,incoming_id,incoming_at,version,last_change}'::text[]) then
    return new;
  end if;
  raise exception 'a signed shift note is neither changed nor removed' using errcode = '42501';
end
$$;
create trigger refuse_changes_of_signed_notes before update or delete on shift_notes
  for each row execute function refuse_changes_of_signed_notes();

-- Calls that reached nobody are few, and a summary reads those of some hours.
create index call_attempts_failed on call_attempts (tenant_id, ended_at)
  where status in ('NoAnswer', 'Busy', 'Rejected', 'Failed');

-- The number of the tenant's first journal entry at this time or later; one more than the last if there is none. Numbers
-- have no gaps and times never fall, so halving finds it by the primary key, and the journal needs no index of times.
create function first_journal_seq(since timestamptz) returns bigint language plpgsql stable as $$
declare low bigint; high bigint; middle bigint; middle_at timestamptz;
begin
  select seq into low from journal where tenant_id = current_tenant() order by seq limit 1;
  select seq + 1 into high from journal where tenant_id = current_tenant() order by seq desc limit 1;
  if low is null then return 1; end if;
  while low < high loop
    middle := (low + high) / 2;
    select at into middle_at from journal where tenant_id = current_tenant() and seq = middle;
    if middle_at >= since then high := middle; else low := middle + 1; end if;
  end loop;
  return low;
end
$$;
