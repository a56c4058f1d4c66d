import { Registry } from 'prom-client';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { type Client, test as withApp } from '../../testing/app.fixture.ts';
import { dispatchTo, media, outsideWorld, workOff } from './simulated-dispatch.fixture.ts';

/** `test` with a dispatcher that runs on demand, and a simulated provider. */
export const test = withApp
  .extend('world', () => outsideWorld())
  .extend('registry', () => new Registry())
  .extend('dispatch', ({ runtime, world, registry }) => dispatchTo(runtime, world, media, registry))
  .extend('technicians', ({ client }) => twoTechnicians(client('admin')))
  .extend(
    'work',
    ({ dispatch }) =>
      () =>
        workOff(dispatch),
  );

/** A user's media: a telephone. */
export const voice = (address: string) => ({ media: [{ kind: 'Voice' as const, address }] });

/** Creates Ada (+331) and Grace (+332), who are called one after the other for boiler 1. */
async function twoTechnicians(admin: Client) {
  const ada = await addPerson(admin, 'Ada', voice('+331'));
  const grace = await addPerson(admin, 'Grace', voice('+332'));
  const groupId = await addGroup(admin, 'Technicians', {
    userIds: [ada, grace],
    ackTimeout: 60,
    attempts: 1,
  });
  const raise = (body: object = {}) =>
    admin.post('/alarms', {
      path: 'boiler/1',
      alarmMessage: 'Boiler 1 overheats',
      alarmActions: [{ type: 'CallGroup', id: groupId }],
      ...body,
    });
  return { ada, grace, groupId, raise };
}

export type StoredEscalation = { occasion: string; closedReason: string | null };

export async function escalationsOf({ database }: Runtime): Promise<StoredEscalation[]> {
  return inTenant(database, 1, (transaction) =>
    transaction.selectFrom('escalations').select(['occasion', 'closedReason']).orderBy('id').execute(),
  );
}
