import type { CallGroupBody, UserBody } from '@tocsin/contract';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import type { Client } from '../testing/app.fixture.ts';
import type { CallStatus } from './call.store.ts';

/** Takes somebody on, with a telephone unless told otherwise. Answers the user's id. */
export async function addPerson(admin: Client, name: string, body: Partial<UserBody> = {}): Promise<number> {
  const media: UserBody['media'] = [{ kind: 'Voice', address: '+33123456789' }];
  const answer = await admin.post('/users', { username: name, name, role: 'operator', media, ...body });
  return answer.json<number>();
}

/** Channels for telephones, text messages and mail, at which nobody answers. */
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

/** What a dispatcher would write about the attempts of a user. */
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

/** What a dispatcher would write once it has done all it could for the calls. */
export async function endCalling({ database }: Runtime, closedReason: string): Promise<void> {
  await inTenant(database, 1, (transaction) =>
    transaction.updateTable('duties').set({ closedReason, closedAt: transaction.now }).execute(),
  );
}
