import type { MessageTemplateParams, TemplateLanguage, TemplateMedium } from '@tocsin/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** The tenant's own text of the messages of one medium in one language. */
export type TemplateRow = MessageTemplateParams & { subject: string; body: string; lastChange: Date };

const columns = [
  sql<TemplateMedium>`medium`.as('medium'),
  sql<TemplateLanguage>`language`.as('language'),
  'subject',
  'body',
  'lastChange',
] as const;

/** All templates of the tenant: there is at most one per medium and language. */
export function listTemplates(transaction: TenantTransaction): Promise<TemplateRow[]> {
  return transaction
    .selectFrom('messageTemplates')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .orderBy('medium')
    .orderBy('language')
    .execute();
}

export async function findTemplate(
  transaction: TenantTransaction,
  { medium, language }: MessageTemplateParams,
): Promise<TemplateRow | undefined> {
  return transaction
    .selectFrom('messageTemplates')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('medium', '=', medium)
    .where('language', '=', language)
    .executeTakeFirst();
}

export async function saveTemplate(
  transaction: TenantTransaction,
  { medium, language, subject, body }: Omit<TemplateRow, 'lastChange'>,
): Promise<void> {
  const { tenantId, now: lastChange } = transaction;
  await transaction
    .insertInto('messageTemplates')
    .values({ tenantId, medium, language, subject, body, lastChange })
    .onConflict((conflict) =>
      conflict.columns(['tenantId', 'medium', 'language']).doUpdateSet({ subject, body, lastChange }),
    )
    .execute();
}

export async function deleteTemplate(
  transaction: TenantTransaction,
  { medium, language }: MessageTemplateParams,
): Promise<void> {
  await transaction
    .deleteFrom('messageTemplates')
    .where('tenantId', '=', transaction.tenantId)
    .where('medium', '=', medium)
    .where('language', '=', language)
    .execute();
}
