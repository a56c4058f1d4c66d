import type { DeletionResult } from './delete-tenant.ts';
import type { ExportResult } from './export-tenant.ts';
import type { ImportResult } from './import-tenant.ts';

const sumOf = (rows: Record<string, number>) => Object.values(rows).reduce((sum, count) => sum + count, 0);

export function reportExport({ tenantId, rows }: ExportResult): string {
  return `Tenant ${tenantId}: ${sumOf(rows)} rows of ${Object.keys(rows).length} tables exported.`;
}

export function reportImport({ tenantId, rows, hasSecrets }: ImportResult): string {
  const advice = hasSecrets
    ? ''
    : '\nWithout secrets: enter those of its channels, issuers and directory again. People with an authenticator app set it up again.';
  return `Tenant ${tenantId}: ${rows} rows imported.${advice}`;
}

export function reportDeletion({ tenantId, rows, files }: DeletionResult): string {
  const kept =
    files.kept === 0
      ? ''
      : `\n${files.kept} spoken prompts were used in the last 10 minutes and remain in SPEECH_DIRECTORY: delete them later.`;
  return `Tenant ${tenantId}: ${sumOf(rows)} rows of ${Object.keys(rows).length} tables deleted.${kept}`;
}
