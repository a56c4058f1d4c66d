import type { Browser } from 'playwright-core';
import { create, granted } from '../plant.ts';
import type { PhonePlant } from './phone.ts';
import { buildRoster, type RosterPlant } from './roster-plant.ts';
import { addSitePlan } from './site-plan.ts';
import { raiseNight } from './waterworks.ts';

const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

/** Gives each page of the console something to show: alarms, a roster with changes, a plan, keys, notes. */
export async function fillPlant(browser: Browser, plant: PhonePlant): Promise<void> {
  const { client, works } = plant;
  const ids = await raiseNight(plant, works);
  const roster = await buildRoster(plant);
  await changeRoster(plant, roster);
  await addSitePlan(browser, plant, works, [
    { x: 0.5, y: 0.5, label: 'Kontaktbecken 1', tagId: ids.get('Chlor.CL201.LL') },
    { x: 0.2, y: 0.4, label: 'Notruf Zulauf', beaconId: 'b1' },
  ]);
  await create(client, 'callgroupgroupings', { name: 'Betrieb', callGroupIds: [roster.groupId] });
  await create(client, 'scenarios', {
    name: 'Chlorgas, dringend',
    alarmActions: [{ type: 'CallGroup', id: roster.groupId }],
  });
  granted(await client.post('/api/v1/apikeys', { name: 'SPS Hochbehälter' }));
  granted(
    await client.post('/api/v1/shifts/notes', {
      from: inHours(-8),
      to: inHours(0),
      text: 'Dosierpumpe P222 läuft im Handbetrieb.',
    }),
  );
}

/** A leave of the first person, and somebody who stands in for the second one. */
async function changeRoster({ client }: PhonePlant, { groupId, userIds }: RosterPlant): Promise<void> {
  const [first, second, third] = userIds;
  await create(client, 'leaves', { userId: first, from: inHours(-24), to: inHours(72) });
  const path = `/api/v1/callgroups/${groupId}`;
  const group = granted<{ roster: object }>(await client.get(path));
  const standIn = { userId: third, replacesUserId: second, from: inHours(-2), to: inHours(30) };
  const overrides = [{ ...standIn, reason: 'Schulung' }];
  granted(await client.send('PUT', path, { body: { ...group, roster: { ...group.roster, overrides } } }));
}
