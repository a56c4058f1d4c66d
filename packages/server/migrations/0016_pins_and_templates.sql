-- PINs of people, the tenant's own texts for messages, and news to those who were called.
set local lock_timeout = '5s';

-- Proves on the telephone that the called person, and not a child or a voice mail, has answered. Argon2id, like passwords.
alter table users add column pin_hash text;

-- The tenant's own texts, by medium and language. Without a row the text of the alarm or call is sent as it is.
create table message_templates (
  tenant_id   bigint      not null references tenants (id),
  medium      text        not null check (medium in ('Voice', 'Sms', 'Email', 'Push', 'Webhook')),
  language    text        not null check (language in ('en', 'fr', 'de', 'es')),
  subject     text        not null, -- empty: the usual subject
  body        text        not null,
  last_change timestamptz not null,
  primary key (tenant_id, medium, language)
);
call protect_tenant_table('message_templates');
grant select, insert, update, delete on message_templates to tocsin_app;

-- Whether everybody who was called for an alarm is told when somebody has taken it, and when it is over.
alter table tenants add column tell_called boolean not null default false;
