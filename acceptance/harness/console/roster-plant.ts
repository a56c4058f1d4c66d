import { addPhones, create, granted, type Plant } from '../plant.ts';

const password = 'a long enough password';
export const hugo = { username: 'hugo', password };
export const lea = { username: 'lea', password };
export const vera = { username: 'vera', password };

const names = [
  'Anna Keller',
  'Ben Moreau',
  'Chloé Dubois',
  'David Lambert',
  'Inès Caron',
  'Jonas Weber',
  'Lea Martin',
  'Nico Rossi',
  'Olivia Blanc',
];

/** A call group with three teams, three shifts a day, and a gap on Sunday from 13:00 to 14:00. */
export type RosterPlant = { readonly groupId: number; readonly userIds: readonly number[] };

const week = [1, 2, 3, 4, 5, 6, 7];
const slot = (teamId: number, day: number, start: string, end: string) => ({ teamId, day, start, end });

export const shifts = week.flatMap((day) => [
  slot(1, day, '00:00', '06:00'),
  slot(2, day, '06:00', day === 7 ? '13:00' : '14:00'),
  slot(3, day, '14:00', '22:00'),
  slot(1, day, '22:00', '24:00'),
]);

export async function buildRoster({ client }: Pick<Plant, 'client'>): Promise<RosterPlant> {
  granted(
    await client.send('PUT', '/api/v1/stations/1', {
      body: { name: 'Valmont waterworks', timeZone: 'Europe/Paris' },
    }),
  );
  await addPhones(client);
  const userIds: number[] = [];
  for (const [index, name] of names.entries()) {
    const username = name.split(' ')[0]?.toLowerCase() ?? '';
    const media = [{ kind: 'Voice', address: `+3310000${String(index + 1).padStart(4, '0')}` }];
    userIds.push(await create(client, 'users', { username, name, role: 'operator', password, media }));
  }
  await create(client, 'users', { ...hugo, name: 'Hugo Perrin', role: 'engineer' });
  await create(client, 'users', { ...vera, name: 'Vera Blum', role: 'viewer' });
  const relief = await create(client, 'callgroups', { name: 'Electrical on-call', userIds: [userIds[0]] });
  const teams = ['A', 'B', 'C'].map((letter, index) => ({
    id: index + 1,
    name: `Team ${letter}`,
    userIds: userIds.slice(index * 3, index * 3 + 3),
  }));
  const groupId = await create(client, 'callgroups', {
    name: 'Process on-call',
    stationId: 1,
    teams,
    roster: { slotMinutes: 60, slots: shifts },
    ackTimeout: 180,
    attempts: 2,
    cycles: 2,
    reliefGroupId: relief,
  });
  return { groupId, userIds };
}
