-- What signs and seals for the whole installation is kept sealed, with a key that is not in the database. Whoever has only the
-- database, or a dump of it, can make no token and no answer. The server seals what older releases left in clear when it starts.
alter table signing_keys
  add column sealed bytea,
  alter column private_jwk drop not null,
  add constraint signing_keys_in_one_form check ((sealed is null) <> (private_jwk is null));

-- Secrets that all servers share. `hub` seals the tokens of hub connections, `answers` signs the codes that people answer with.
create table installation_secrets (
  purpose    text        not null check (purpose in ('hub', 'answers')),
  id         uuid        not null,
  sealed     bytea       not null,
  created_at timestamptz not null,
  primary key (purpose, id)
);
grant select, insert, update, delete on installation_secrets to tocsin_app;

-- They move to the table above.
grant delete on hub_secrets, answer_secrets to tocsin_app;
