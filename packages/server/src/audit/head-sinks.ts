import { open } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Database } from '../postgres/database.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { insertAuditHead, tenantsWithoutHead } from './audit-head.store.ts';
import type { AuditHead } from './audit-head.ts';
import { canonicalJson } from './canonical-json.ts';
import { type SyslogServer, sendToSyslog } from './syslog.ts';

/** A place that stores heads. Rejects if they could not be stored. */
export type HeadSink = { readonly name: string; publish(heads: readonly AuditHead[]): Promise<void> };

export function logSink(log: Logger): HeadSink {
  return {
    name: 'log',
    publish: async (heads) => {
      for (const auditHead of heads) log.info({ auditHead }, 'audit head');
    },
  };
}

/** Keeps them beside the trail, for the verification by the server itself. */
export function databaseSink(database: Database): HeadSink {
  return {
    name: 'database',
    publish: async (heads) => {
      // A server that has just started publishes the heads of all tenants; almost all of them are there.
      const missing = await outsideTenants(database, (transaction) => tenantsWithoutHead(transaction, heads));
      for (const head of heads.filter(({ tenantId }) => missing.has(tenantId)))
        await inTenant(database, head.tenantId, (transaction) => insertAuditHead(transaction, head));
    },
  };
}

/** Appends one line of JSON for each head, and waits until they are on the disk. */
export function fileSink(path: string): HeadSink {
  return {
    name: 'file',
    publish: async (heads) => {
      const file = await open(path, 'a', 0o640);
      try {
        await file.write(heads.map((head) => `${canonicalJson(head)}\n`).join(''));
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}

export function syslogSink(server: SyslogServer): HeadSink {
  return {
    name: 'syslog',
    publish: (heads) =>
      sendToSyslog(
        server,
        heads.map((head) => ({ at: head.at, messageId: 'audit-head', text: canonicalJson(head) })),
      ),
  };
}
