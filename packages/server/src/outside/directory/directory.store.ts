import type { DirectoryBody, GroupRole } from '@tocsin/contract';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** A directory as it is written. */
export type DirectoryRecord = Omit<DirectoryBody, 'certificate' | 'bindPassword' | 'groupRoles'> & {
  /** Empty: the authorities of the system. */
  certificate: string;
  groupRoles: readonly GroupRole[];
  bindPassword: Buffer | null;
};

export type DirectoryRow = Omit<DirectoryRecord, 'groupRoles'> & {
  groupRoles: unknown;
  version: number;
};

/** The directory of the tenant. Locks its row if `forUpdate` is set. */
export function findDirectory(
  transaction: TenantTransaction,
  { forUpdate }: { forUpdate: boolean } = { forUpdate: false },
): Promise<DirectoryRow | undefined> {
  const query = transaction
    .selectFrom('directories')
    .select([
      'enabled',
      'url',
      'certificate',
      'bindDn',
      'bindPassword',
      'baseDn',
      'userFilter',
      'idAttribute',
      'nameAttribute',
      'groupAttribute',
      'groupRoles',
      'createUsers',
      'version',
    ])
    .where('tenantId', '=', transaction.tenantId);
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst();
}

export async function saveDirectory(
  transaction: TenantTransaction,
  { groupRoles, ...record }: DirectoryRecord,
): Promise<void> {
  const { tenantId, now } = transaction;
  const columns = { ...record, groupRoles: JSON.stringify(groupRoles), lastChange: now };
  await transaction
    .insertInto('directories')
    .values({ tenantId, ...columns })
    .onConflict((conflict) =>
      conflict
        .column('tenantId')
        .doUpdateSet(({ eb }) => ({ ...columns, version: eb('directories.version', '+', 1) })),
    )
    .execute();
}

export async function deleteDirectory(transaction: TenantTransaction): Promise<void> {
  await transaction.deleteFrom('directories').where('tenantId', '=', transaction.tenantId).execute();
}

/** Seals the same password anew: the version of the directory stays. */
export async function updateBindPassword(
  transaction: TenantTransaction,
  bindPassword: Buffer,
): Promise<void> {
  await transaction
    .updateTable('directories')
    .set({ bindPassword })
    .where('tenantId', '=', transaction.tenantId)
    .execute();
}
