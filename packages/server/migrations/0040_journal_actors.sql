-- Who made a change, by kind and number (`user:12`, `key:5`, `system`): the name in `actor` can be that of somebody else too. Null in
-- entries of older releases.
alter table journal add column actor_id text;
