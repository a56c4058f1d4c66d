import { outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { auditEnds } from './audit.store.ts';
import { type AuditHead, signHead } from './audit-head.ts';
import { type KeyBox, openAuditKey } from './audit-keys.ts';
import type { HeadSink } from './head-sinks.ts';

/**
 * Signs how far the trail of each tenant has got, and tells each sink of the trails that have grown since it was last told. A
 * sink that fails is tried again the next time, and keeps the others from nothing.
 */
export function createHeadPublisher(
  { database, log }: Runtime,
  { box, sinks }: { box: KeyBox | undefined; sinks: readonly HeadSink[] },
): () => Promise<void> {
  const told = new Map(sinks.map((sink) => [sink, new Map<number, number>()]));

  return async () => {
    const key = await openAuditKey(database, box);
    const { ends, at } = await outsideTenants(database, async (outside) => ({
      ends: await auditEnds(outside),
      at: outside.now.toISOString(),
    }));
    const signed = new Map<number, AuditHead>();
    const headOf = (end: (typeof ends)[number]) => {
      const head = signed.get(end.tenantId) ?? signHead({ ...end, at }, key);
      signed.set(end.tenantId, head);
      return head;
    };
    for (const [sink, known] of told) {
      const grown = ends.filter(({ tenantId, number }) => known.get(tenantId) !== number);
      if (grown.length === 0) continue;
      try {
        await sink.publish(grown.map(headOf));
        for (const { tenantId, number } of grown) known.set(tenantId, number);
      } catch (error) {
        log.error({ err: error, sink: sink.name }, 'audit heads were not published');
      }
    }
  };
}
