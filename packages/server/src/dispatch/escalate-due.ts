import type { Notice } from '@tocsin/domain';
import { type DutyWork, drawRotation, type Rotation, readTakenDuties } from '../duties/duty-work.store.ts';
import { escalateDuty, stagesOf } from '../duties/escalate-duty.ts';
import { type Escalated, saveEscalated } from '../duties/escalation.store.ts';
import type { KnownDirectories } from '../duties/known-directories.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import type { Routes } from './find-routes.ts';
import { type Taken, takeDuties } from './lease.store.ts';
import { workThrough } from './work-through.ts';

/** Something an operator of the system should hear of. */
type TenantNotice = { tenantId: number; dutyId: number; tagId: number | null; notice: Notice };

export type Escalation = { taken: number; queued: number; notices: TenantNotice[] };

type FindRoutes = (transaction: TenantTransaction) => Promise<Partial<Routes>>;

/** Takes up duties that are due, decides what there is to do, and stores it. Nothing is sent here. */
export async function escalateDue(
  { database, log }: Runtime,
  directories: KnownDirectories,
  wanted: number,
  findRoutes: FindRoutes = async () => ({}),
): Promise<Escalation> {
  const taken = await outsideTenants(database, (outside) => takeDuties(outside, wanted));
  const escalated = await workThrough(taken, log, async (tenantId, some) => {
    const those = await inTenant(database, tenantId, (transaction) =>
      escalateTaken(transaction, { directories, findRoutes }, some),
    );
    return those.map((made) => ({ tenantId, made }));
  });
  const notices = escalated.flatMap(({ tenantId, made: { work, notices: some } }) =>
    some.map((notice) => ({ tenantId, dutyId: work.id, tagId: work.tagId, notice })),
  );
  const queued = escalated.flatMap(({ made }) => made.attempts).length;
  return { taken: taken.length, queued, notices };
}

async function escalateTaken(
  transaction: TenantTransaction,
  { directories, findRoutes }: { directories: KnownDirectories; findRoutes: FindRoutes },
  taken: readonly Taken[],
): Promise<Escalated[]> {
  const duties = await readTakenDuties(transaction, taken);
  if (duties.length === 0) return [];
  const directory = await directories.of(transaction);
  const routes = await findRoutes(transaction);
  const escalated: Escalated[] = [];
  for (const work of duties) {
    const rotation = await rotationOf(transaction, work);
    escalated.push(escalateDuty(work, { directory, rotation, now: transaction.now, ...routes }));
  }
  await saveEscalated(transaction, escalated);
  return escalated;
}

/** A number for each call group that takes turns, drawn once for the duty. */
async function rotationOf(transaction: TenantTransaction, { plan, rotation }: DutyWork): Promise<Rotation> {
  const drawn = { ...rotation };
  for (const { groupId, mode } of stagesOf(plan)) {
    if (mode === 'Turnover') drawn[groupId] ??= await drawRotation(transaction, groupId);
  }
  return drawn;
}
