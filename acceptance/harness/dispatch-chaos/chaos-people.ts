import { dice } from '../alarm-traffic.ts';
import type { OldClient } from '../old-client.ts';
import type { PhoneCompany } from '../phone-company/phone-company.ts';
import type { Behaviour } from '../phone-company/protocol.ts';
import { create } from '../plant.ts';

/** Enough of them that most are not in a flood, and a few that are. */
const groupsPerAlarm = 1 / 8;
const modes = ['Sequential', 'Sequential', 'Broadcast', 'Turnover'];
export const ackTimeoutSeconds = 8;

/** Makes the call groups of a tenant, two people each, and lets their telephones do what telephones do. */
export async function hirePeople(
  client: OldClient,
  company: PhoneCompany,
  { tenantId, alarms, seed }: { tenantId: number; alarms: number; seed: number },
): Promise<number[]> {
  const roll = dice(seed + tenantId);
  const groupIds: number[] = [];
  for (let group = 0; group < Math.max(6, Math.ceil(alarms * groupsPerAlarm)); group++) {
    const userIds: number[] = [];
    for (const place of [0, 1]) {
      const number = `+${tenantId}${String(seed).padStart(7, '0')}${String(group * 2 + place).padStart(4, '0')}`;
      await company.script(number, [telephone(roll), telephone(roll), presses(roll)]);
      userIds.push(await hire(client, number));
    }
    const mode = modes[roll(modes.length)];
    // Every other group relieves the one after it.
    const reliefGroupId = group % 2 === 1 ? (groupIds.at(-1) ?? 0) : 0;
    const quick = { ackTimeout: ackTimeoutSeconds, attempts: 1, cycles: 2 };
    const name = `Group ${group} of ${seed}`;
    groupIds.push(await create(client, 'callgroups', { name, userIds, mode, ...quick, reliefGroupId }));
  }
  return groupIds;
}

function hire(client: OldClient, number: string): Promise<number> {
  const media = [
    { kind: 'Voice', address: number },
    { kind: 'Sms', address: number },
  ];
  return create(client, 'users', {
    username: `user ${number}`,
    name: `User ${number}`,
    role: 'operator',
    media,
  });
}

/** In the end everybody presses the code. */
function presses(roll: (sides: number) => number): Behaviour {
  return { kind: 'answers', press: 'code', afterMs: 200 + roll(3_000) };
}

function telephone(roll: (sides: number) => number): Behaviour {
  const all: Behaviour[] = [
    presses(roll),
    presses(roll),
    { kind: 'answers' },
    { kind: 'answers', press: '000000' },
    { kind: 'silent', ringMs: 500 + roll(3_000) },
    { kind: 'busy' },
    { kind: 'refuses' },
    { kind: 'lies' },
    { kind: 'hangs' },
    { kind: 'errors', status: 500 },
    { kind: 'slow', delayMs: roll(4_000), next: { kind: 'silent' } },
  ];
  return all[roll(all.length)] ?? { kind: 'busy' };
}
