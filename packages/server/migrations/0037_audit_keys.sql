-- The keys that sign how far the trail of each tenant has got (Ed25519). The newest one signs. Former ones stay: what they signed
-- can be verified for ever. The private part is sealed where the server has a key for secrets.
create table audit_keys (
  key_id      text        primary key,
  public_key  text        not null, -- PEM
  private_key bytea       not null, -- PKCS #8 PEM, in clear or sealed
  is_sealed   boolean     not null,
  created_at  timestamptz not null
);
grant select, insert on audit_keys to tocsin_app;
