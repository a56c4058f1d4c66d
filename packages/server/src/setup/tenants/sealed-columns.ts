import { placeOfChannel } from '../../channels/channel.wire.ts';
import { placeOfTotp } from '../../identity/second-factors/totp.store.ts';
import { placeOfDirectory } from '../../outside/directory/directory.wire.ts';
import { placeOfIssuer } from '../../outside/issuers/issuer.wire.ts';

/** A column whose values are sealed with the secrets key of the installation. */
export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** The context that the value of a row is sealed with. */
  readonly placeOf: (tenantId: number, row: Readonly<Record<string, unknown>>) => string;
  /** A column that is null whenever this one is. */
  readonly goesWith?: string;
};

const totpPlace: SealedColumn['placeOf'] = (tenantId, row) => placeOfTotp(tenantId, Number(row['user_id']));

/** Every sealed column of a tenant's table. An export leaves these values out, or seals them with a passphrase. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'channels',
    column: 'secrets',
    placeOf: (tenantId, { id }) => placeOfChannel(tenantId, Number(id)),
  },
  {
    table: 'issuers',
    column: 'client_secret',
    placeOf: (tenantId, { id }) => placeOfIssuer(tenantId, Number(id)),
  },
  { table: 'directories', column: 'bind_password', placeOf: placeOfDirectory },
  { table: 'totp_secrets', column: 'sealed', placeOf: totpPlace, goesWith: 'confirmed_at' },
  { table: 'totp_secrets', column: 'pending_sealed', placeOf: totpPlace, goesWith: 'pending_at' },
];

/** Columns of bytes that are not sealed: hashes, public keys and files. A test compares both lists with the catalog. */
export const plainBytes: readonly string[] = [
  'api_keys.secret_hash',
  'audit_entries.hash',
  'audit_heads.hash',
  'calendar_feeds.secret_hash',
  'idempotency_keys.request_hash',
  'log_in_steps.hash',
  'media_files.content',
  'passkeys.public_key',
  'password_resets.code_hash',
  'recovery_codes.hash',
  'refresh_tokens.hash',
  'sign_ins.cookie_hash',
  'sign_ins.state_hash',
  'station_months.alarms',
  'used_challenges.hash',
  // With a key of the installation: badges must be read again in another one.
  'users.badge_hash',
];

/** The sealed columns of a table. */
export function sealedIn(table: string): SealedColumn[] {
  return sealedColumns.filter((one) => one.table === table);
}
