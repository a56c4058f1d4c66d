import { addSeconds, dutyBegins, formatInZone, isTestDue, type MediumKind, quietestOf } from '@tocsin/domain';
import { listServedMedia } from '../calls/callee.store.ts';
import { readDispatchSettings, type StoredSettings } from '../calls/fallback.store.ts';
import type { CallDirectory, CalledGroup } from '../escalations/call-directory.ts';
import type { ConfigurationCache } from '../escalations/configuration-cache.ts';
import { forEachTenant } from '../postgres/each-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readLastTests } from './reachability.store.ts';
import {
  claimDuty,
  claimSchedule,
  type Duty,
  listScheduledTenants,
  saveDutyNotice,
} from './schedule.store.ts';
import { sendNotice } from './send-notice.ts';
import { startTest } from './start-test.ts';

/** A bit less than the interval of the job, so that a server that has the lease can renew it. */
const leaseSeconds = 9;
/** People who are tested in one round, so that not everybody is called at once. */
const testsPerRound = 1;

/**
 * Sends the tests that the tenants want every few days, and the reminders or tests before shifts. One server at a time does
 * so for a tenant; each duty is announced once, whatever the servers do.
 */
export async function sendScheduledNotices(
  { database, log }: Runtime,
  configuration: ConfigurationCache,
): Promise<void> {
  const tenantIds = await outsideTenants(database, listScheduledTenants);
  await forEachTenant(tenantIds, { log, job: 'send scheduled notices' }, (tenantId) =>
    inTenant(database, tenantId, async (transaction) => {
      if (!(await claimSchedule(transaction, leaseSeconds))) return;
      const settings = await readDispatchSettings(transaction);
      const directory = await configuration.readDirectory(transaction);
      await announceDuties(transaction, directory, settings);
      await testDuePeople(transaction, directory, settings);
    }),
  );
}

async function announceDuties(
  transaction: TenantTransaction,
  directory: CallDirectory,
  { reachability: { beforeShiftMinutes }, shiftReminderMinutes }: StoredSettings,
): Promise<void> {
  const minutes = beforeShiftMinutes ?? shiftReminderMinutes;
  if (minutes === 0) return;
  const { now } = transaction;
  const until = addSeconds(now, minutes * 60);
  for (const group of directory.groups.values()) {
    for (const { userId, startsAt } of dutyBegins(group.roster, group.timeZone, now, until)) {
      const duty = { userId, callGroupId: group.id, startsAt };
      if (!directory.people.has(userId) || !(await claimDuty(transaction, duty))) continue;
      const announce = beforeShiftMinutes === undefined ? remind : test;
      const noticeId = await announce(transaction, directory, { duty, group });
      if (noticeId !== undefined) await saveDutyNotice(transaction, duty, noticeId);
    }
  }
}

type Announcement = { duty: Duty; group: CalledGroup };

async function remind(
  transaction: TenantTransaction,
  { people }: CallDirectory,
  { duty: { userId, startsAt }, group: { name, timeZone } }: Announcement,
): Promise<number | undefined> {
  const served = (await listServedMedia(transaction)) as ReadonlySet<string> as ReadonlySet<MediumKind>;
  const person = people.get(userId);
  const medium = person && quietestOf(person, served);
  if (!medium) return undefined;
  const from = formatInZone(timeZone, startsAt).slice(11, 16);
  const seconds = (startsAt.getTime() - transaction.now.getTime()) / 1_000;
  const sent = await sendNotice(transaction, {
    content: { kind: 'reminder', from, group: name },
    userId,
    media: [medium],
    requestedBy: '',
    // It is of no use after the beginning.
    endsAfterSeconds: Math.max(60, seconds),
  });
  return sent?.id;
}

async function test(
  transaction: TenantTransaction,
  { people }: CallDirectory,
  { duty: { userId } }: Announcement,
): Promise<number | undefined> {
  const person = people.get(userId);
  return person && startTest(transaction, person, '');
}

/** Tests people of call groups, because others are called by hand only. The person with the oldest test goes first. */
async function testDuePeople(
  transaction: TenantTransaction,
  { groups, people }: CallDirectory,
  { reachability: { everyDays, at = '10:00' } }: StoredSettings,
): Promise<void> {
  if (everyDays === undefined) return;
  const lastTests = await readLastTests(transaction);
  const zones = new Map<number, string>();
  for (const { userIds, timeZone } of groups.values())
    for (const userId of userIds) if (!zones.has(userId)) zones.set(userId, timeZone);
  const due = [...zones].filter(([userId, zone]) => {
    const moment = { zone, lastTest: lastTests.get(userId), now: transaction.now };
    return (people.get(userId)?.media.length ?? 0) > 0 && isTestDue({ everyDays, at }, moment);
  });
  const age = ([userId]: readonly [number, string]) => lastTests.get(userId)?.getTime() ?? 0;
  for (const [userId] of due.toSorted((one, other) => age(one) - age(other)).slice(0, testsPerRound)) {
    const person = people.get(userId);
    if (person) await startTest(transaction, person, '');
  }
}
