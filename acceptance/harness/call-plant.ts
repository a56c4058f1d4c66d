import { addPhones, create, openPlant, type Plant } from './plant.ts';

/** A plant with call groups, and with users of whom some cannot be called. */
export type CallPlant = Plant & {
  users: {
    ada: number;
    ben: number;
    carl: number;
    /** Has no medium. */
    mute: number;
    /** Is disabled. */
    off: number;
    /** Has no enabled medium. */
    deaf: number;
    /** Has no medium that a channel serves. */
    paged: number;
  };
  groups: { day: number; night: number; empty: number; broken: number };
};

export async function openCallPlant(basePath: string): Promise<CallPlant> {
  const plant = await openPlant(basePath);
  await addPhones(plant.client);
  const users = await createUsers(plant);
  return { ...plant, users, groups: await createGroups(plant, users) };
}

async function createUsers({ client }: Plant): Promise<CallPlant['users']> {
  const user = (username: string, more: object) => create(client, 'users', { username, ...more });
  const phone = (address: string) => ({ media: [{ kind: 'Voice', address }] });
  return {
    ada: await user('ada', {
      name: 'Ada Byron',
      media: [
        { kind: 'Sms', address: '+33 6 12 34 56 78' },
        { kind: 'Email', address: 'ada@example.org' },
      ],
    }),
    ben: await user('ben', { name: 'Ben Oum', ...phone('+4930123456') }),
    carl: await user('carl', { name: 'Carl', ...phone('+4930999999') }),
    mute: await user('mute', {}),
    off: await user('off', { enabled: false, ...phone('+4930111111') }),
    deaf: await user('deaf', { media: [{ kind: 'Voice', address: '+4930222222', enabled: false }] }),
    paged: await user('paged', { media: [{ kind: 'Pager', address: '4711' }] }),
  };
}

async function createGroups(
  { client }: Plant,
  { ada, ben, carl, mute }: CallPlant['users'],
): Promise<CallPlant['groups']> {
  const stationId = await create(client, 'stations', { name: 'Kolkata', timeZone: 'Asia/Kolkata' });
  return {
    day: await create(client, 'callgroups', { name: 'Day', userIds: [ada, ben], stationId }),
    night: await create(client, 'callgroups', {
      name: 'Night',
      userIds: [ben],
      teams: [{ id: 1, name: 'Crew', userIds: [carl] }],
    }),
    empty: await create(client, 'callgroups', { name: 'Empty' }),
    broken: await create(client, 'callgroups', { name: 'Broken', userIds: [ada, mute] }),
  };
}
