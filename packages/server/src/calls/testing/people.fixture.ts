import type { CallGroupBody, UserBody } from '@tocsin/contract';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import type { CallStatus } from '../call.store.ts';

/** Creates a user, by default with a telephone. Returns the user's id. */
export async function addPerson(admin: Client, name: string, body: Partial<UserBody> = {}): Promise<number> {
  const media: UserBody['media'] = [{ kind: 'Voice', address: '+33123456789' }];
  const answer = await admin.post('/users', { username: name, name, role: 'operator', media, ...body });
  return answer.json<number>();
}

/** Creates channels for telephone, text messages and e-mail whose providers do not answer. */
export async function addPhones(admin: Client): Promise<void> {
  const settings = { url: 'http://127.0.0.1:1' };
  for (const medium of ['Voice', 'Sms']) {
    await admin.post('/channels', { name: `Phones ${medium}`, kind: 'simulated', medium, settings });
  }
  const mail = { host: '127.0.0.1', from: 'alarms@valmont.example' };
  await admin.post('/channels', { name: 'Mail', kind: 'email', settings: mail });
}

export async function addGroup(
  admin: Client,
  name: string,
  body: Partial<CallGroupBody> = {},
): Promise<number> {
  return (await admin.post('/callgroups', { name, ...body })).json<number>();
}

export async function countCalls({ database }: Runtime): Promise<{ calls: number; attempts: number }> {
  return inTenant(database, 1, async (transaction) => {
    const calls = await transaction.selectFrom('calls').select('id').execute();
    const attempts = await transaction.selectFrom('callAttempts').select('id').execute();
    return { calls: calls.length, attempts: attempts.length };
  });
}

/** Stores a status for the attempts of a user, as a dispatcher would. */
export async function settle(
  { database }: Runtime,
  userId: number,
  status: CallStatus,
  at: { endedAt?: Date; acknowledgedAt?: Date; tagId?: number } = {},
): Promise<void> {
  await inTenant(database, 1, (transaction) =>
    transaction
      .updateTable('callAttempts')
      .set({ status, ...at })
      .where('userId', '=', userId)
      .execute(),
  );
}

/** Closes all escalations, as a dispatcher would. */
export async function endCalling({ database }: Runtime, closedReason: string): Promise<void> {
  await inTenant(database, 1, (transaction) =>
    transaction.updateTable('escalations').set({ closedReason, closedAt: transaction.now }).execute(),
  );
}
