import type { EscalationEvent } from '@tocsin/domain';
import { traceIdOf } from '../../common/trace-id.ts';
import { advanceEscalation, stagesOf } from '../../escalations/advance-escalation.ts';
import type { ConfigurationCache } from '../../escalations/configuration-cache.ts';
import { type Escalated, saveEscalated } from '../../escalations/escalation.store.ts';
import {
  drawRotation,
  type EscalationWork,
  type Rotation,
  readClaimedEscalations,
} from '../../escalations/escalation-work.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { traceStep } from '../traces/trace-step.ts';
import type { Routes } from './find-routes.ts';
import { forEachTenantClaims } from './for-each-tenant.ts';
import { type Claim, claimEscalations } from './lease.store.ts';

type TenantEvent = {
  tenantId: number;
  escalationId: number;
  tagId: number | null;
  traceId: string | undefined;
  event: EscalationEvent;
};

export type EscalationBatch = { claimed: number; queued: number; events: TenantEvent[] };

type FindRoutes = (transaction: TenantTransaction) => Promise<Partial<Routes>>;

/** Claims due escalations, decides the next step of each and stores it. Nothing is sent here. */
export async function escalateDue(
  { database, log, tracing }: Runtime,
  configuration: ConfigurationCache,
  wanted: number,
  findRoutes: FindRoutes = async () => ({}),
): Promise<EscalationBatch> {
  const claims = await outsideTenants(database, (outside) => claimEscalations(outside, wanted));
  const escalated = await forEachTenantClaims(claims, log, async (tenantId, some) => {
    const startedAt = tracing?.now();
    const advanced = await inTenant(database, tenantId, (transaction) =>
      escalateClaimed(transaction, { configuration, findRoutes }, some),
    );
    if (tracing) for (const made of advanced) traceStep(tracing, { tenantId, made, startedAt });
    return advanced.map((made) => ({ tenantId, made }));
  });
  const events = escalated.flatMap(({ tenantId, made: { work, events: some } }) =>
    some.map((event) => ({
      tenantId,
      escalationId: work.id,
      tagId: work.tagId,
      traceId: traceIdOf(work.traceParent),
      event,
    })),
  );
  const queued = escalated.flatMap(({ made }) => made.attempts).length;
  return { claimed: claims.length, queued, events };
}

async function escalateClaimed(
  transaction: TenantTransaction,
  { configuration, findRoutes }: { configuration: ConfigurationCache; findRoutes: FindRoutes },
  claims: readonly Claim[],
): Promise<Escalated[]> {
  const escalations = await readClaimedEscalations(transaction, claims);
  if (escalations.length === 0) return [];
  const directory = await configuration.readDirectory(transaction);
  const routes = await findRoutes(transaction);
  const escalated: Escalated[] = [];
  for (const work of escalations) {
    const rotation = await rotationOf(transaction, work);
    escalated.push(advanceEscalation(work, { directory, rotation, now: transaction.now, ...routes }));
  }
  await saveEscalated(transaction, escalated);
  return escalated;
}

/** Draws the starting position of each `Turnover` call group, once for the escalation. */
async function rotationOf(
  transaction: TenantTransaction,
  { plan, rotation }: EscalationWork,
): Promise<Rotation> {
  const drawn = { ...rotation };
  for (const { groupId, mode } of stagesOf(plan)) {
    if (mode === 'Turnover') drawn[groupId] ??= await drawRotation(transaction, groupId);
  }
  return drawn;
}
