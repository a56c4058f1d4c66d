import type { GroupRole } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { createCollectionStore, type StoredRow } from '../../postgres/collections/collection-store.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type NewIssuer = {
  name: string;
  issuer: string;
  clientId: string;
  enabled: boolean;
  scopes: string;
  groupsClaim: string;
  groupRoles: readonly GroupRole[];
  createUsers: boolean;
  /** Seals the client secret for the issuer of this id; null without one. */
  sealSecret: (id: number) => Buffer | null;
};

const columns = [
  'id',
  'name',
  'issuer',
  'clientId',
  'clientSecret',
  'enabled',
  'scopes',
  'groupsClaim',
  'groupRoles',
  'createUsers',
  'version',
  'lastChange',
] as const;

export const issuerStore = createCollectionStore({
  table: 'issuers',
  kind: 'issuer',
  columns,
  toColumns: ({ name, groupRoles, sealSecret, ...rest }: NewIssuer, id: number) => ({
    ...rest,
    name,
    searchText: searchText([name]),
    groupRoles: JSON.stringify(groupRoles),
    clientSecret: sealSecret(id),
  }),
});

export type IssuerRow = StoredRow<typeof issuerStore>;

export function listEnabledIssuers(transaction: TenantTransaction): Promise<{ id: number; name: string }[]> {
  return transaction
    .selectFrom('issuers')
    .select(['id', 'name'])
    .where('tenantId', '=', transaction.tenantId)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
}

/** Undefined if there is none, or if it is not enabled. */
export function findEnabledIssuer(
  transaction: TenantTransaction,
  id: number,
): Promise<IssuerRow | undefined> {
  return transaction
    .selectFrom('issuers')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('enabled', '=', true)
    .executeTakeFirst();
}

/** Locks the issuers that have a secret until the transaction ends. */
export async function listSealedIssuers(
  transaction: TenantTransaction,
): Promise<{ id: number; clientSecret: Buffer }[]> {
  const rows = await transaction
    .selectFrom('issuers')
    .select(['id', 'clientSecret'])
    .where('tenantId', '=', transaction.tenantId)
    .where('clientSecret', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.flatMap(({ id, clientSecret }) => (clientSecret === null ? [] : [{ id, clientSecret }]));
}

/** Seals the same secret anew: the version of the issuer stays. */
export async function updateIssuerSecret(
  transaction: TenantTransaction,
  id: number,
  clientSecret: Buffer,
): Promise<void> {
  await transaction
    .updateTable('issuers')
    .set({ clientSecret })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}
