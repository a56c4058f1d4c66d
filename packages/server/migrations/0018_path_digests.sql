-- A path may be longer than an index entry can hold: 1,024 characters of four bytes, where PostgreSQL takes 2,704 bytes. Tags
-- are found by a digest of their path instead. As a column, not as an expression: row-level security lets no look-up use an
-- index on an expression.

create function path_digest(path text) returns bytea
  language sql immutable strict parallel safe
  return sha256(convert_to(path, 'UTF8'));

alter table tags add column path_digest bytea not null generated always as (path_digest(path)) stored;
alter table tags drop constraint tags_path;
alter table tags add constraint tags_path unique (path_digest, data_server_id, tenant_id);
