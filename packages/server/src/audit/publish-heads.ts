import type { Runtime } from '../postgres/runtime.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { lastAuditEntries } from './audit.store.ts';
import { type AuditHead, signHead } from './audit-head.ts';
import { type KeyBox, openAuditKey } from './audit-keys.ts';
import type { HeadSink } from './head-sinks.ts';

/**
 * Signs the newest entry of each tenant, and publishes to each sink the heads that are new to it. A sink that fails is
 * retried the next time, and does not affect the others.
 */
export function createHeadPublisher(
  { database, log }: Runtime,
  { box, sinks }: { box: KeyBox | undefined; sinks: readonly HeadSink[] },
): () => Promise<void> {
  const published = new Map(sinks.map((sink) => [sink, new Map<number, number>()]));

  return async () => {
    const key = await openAuditKey(database, box);
    const { ends, at } = await outsideTenants(database, async (outside) => ({
      ends: await lastAuditEntries(outside),
      at: outside.now.toISOString(),
    }));
    const signed = new Map<number, AuditHead>();
    const headOf = (end: (typeof ends)[number]) => {
      const head = signed.get(end.tenantId) ?? signHead({ ...end, at }, key);
      signed.set(end.tenantId, head);
      return head;
    };
    for (const [sink, numbers] of published) {
      const grown = ends.filter(({ tenantId, number }) => numbers.get(tenantId) !== number);
      if (grown.length === 0) continue;
      try {
        await sink.publish(grown.map(headOf));
        for (const { tenantId, number } of grown) numbers.set(tenantId, number);
      } catch (error) {
        log.error({ err: error, sink: sink.name }, 'audit heads were not published');
      }
    }
  };
}
