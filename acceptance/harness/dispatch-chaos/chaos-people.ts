import { seededRandom } from '../http/alarm-traffic.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Behaviour } from '../phone-company/protocol.ts';
import { create, granted } from '../plant.ts';
import type { GroupPolicy } from './call-policy.ts';
import type { Companies } from './chaos-site.ts';

/** Most groups get few alarms, and some get more than the limit of calls for a person. */
const groupsPerAlarm = 1 / 8;
const modes = ['Sequential', 'Sequential', 'Broadcast', 'Turnover'] as const;

export type People = {
  /** The last one is the fallback group. */
  groups: GroupPolicy[];
  /** Telephone numbers by user. */
  numbers: Map<number, string>;
};

export type Staff = {
  tenantId: number;
  alarms: number;
  seed: number;
  /** Time of the shift change in rosters. Epoch milliseconds. */
  handOver: number;
  /** Whether all groups have the same settings, except modes and rosters. */
  isEven?: boolean;
  /** Behaviour of the telephones of a group. */
  phones: (random: Random, group: number) => Phones;
};

/** Behaviour of a telephone, by call and by text. The last item of a list stays. */
export type Phones = { Voice: Behaviour[]; Sms: Behaviour[] };

type Random = (below: number) => number;

/** Creates the call groups of a tenant with two users each, and scripts their telephones. */
export async function createPeople(client: HttpClient, companies: Companies, staff: Staff): Promise<People> {
  const { tenantId, alarms, seed } = staff;
  const random = seededRandom(seed + tenantId);
  const numbers = new Map<number, string>();
  const groups: GroupPolicy[] = [];
  const count = Math.max(9, Math.ceil(alarms * groupsPerAlarm));
  for (let group = 0; group < count; group++) {
    const userIds: number[] = [];
    for (const place of [0, 1]) {
      const number = `+${tenantId}${String(seed).padStart(7, '0')}${String(group * 2 + place).padStart(4, '0')}`;
      const phones = staff.phones(random, group);
      await companies.Voice.script(number, phones.Voice);
      await companies.Sms.script(number, phones.Sms);
      const userId = await createUser(client, number);
      userIds.push(userId);
      numbers.set(userId, number);
    }
    // Every second group has the one before it as relief, except every third, which has only the fallback group.
    const isRelieved = group % 2 === 1 && group % 3 !== 0;
    const reliefGroupId = isRelieved ? (groups.at(-1)?.id ?? 0) : 0;
    groups.push(await formGroup(client, { staff, random, group, count, userIds, reliefGroupId }));
  }
  const settings = { fallbackCallGroupId: groups.at(-1)?.id ?? 0 };
  granted(await client.send('PUT', '/api/v1/dispatch/settings', { body: settings }));
  return { groups, numbers };
}

type Form = {
  staff: Staff;
  random: Random;
  group: number;
  count: number;
  userIds: number[];
  reliefGroupId: number;
};

async function formGroup(
  client: HttpClient,
  { staff, random, group, count, userIds, reliefGroupId }: Form,
): Promise<GroupPolicy> {
  const { tenantId, seed, handOver } = staff;
  // In the fallback group everybody is always on duty.
  const roster = rosterOf(group === count - 1 ? 0 : group, { userIds, handOver });
  // In a Turnover group with shift changes the checker could not know whose step is next.
  const place = staff.isEven ? group % modes.length : random(modes.length);
  const mode = roster.isRostered ? 'Sequential' : (modes[place] ?? 'Sequential');
  const quick = staff.isEven
    ? { ackTimeout: 5, attempts: 2, cycles: 1 }
    : { ackTimeout: 5 + random(4), attempts: 1 + random(3), cycles: 1 + random(2) };
  const name = `Group ${group} of ${seed}`;
  const id = await create(client, 'callgroups', { name, mode, ...quick, reliefGroupId, ...roster.body });
  const { ackTimeout: ackTimeoutSeconds, attempts, cycles } = quick;
  return { tenantId, id, mode, shifts: roster.shifts, ackTimeoutSeconds, attempts, cycles, reliefGroupId };
}

type Rostered = { body: object; shifts: GroupPolicy['shifts']; isRostered: boolean };

/** Of every six groups one has a shift change during the run, and two have nobody on duty. */
function rosterOf(group: number, { userIds, handOver }: { userIds: number[]; handOver: number }): Rostered {
  const teams = userIds.map((userId, index) => ({
    id: index + 1,
    name: `Team ${index + 1}`,
    userIds: [userId],
  }));
  const at = (ms: number) => new Date(ms).toISOString();
  if (group % 6 === 2) {
    const overrides = [
      { teamId: 1, from: at(handOver - 3_600_000), to: at(handOver) },
      { teamId: 2, from: at(handOver), to: at(handOver + 3_600_000) },
    ];
    const shifts = userIds.map((userId, index) => ({ from: index * handOver, userIds: [userId] }));
    const roster = { slotMinutes: 60, slots: [], overrides };
    return { body: { userIds: [], teams, roster }, shifts, isRostered: true };
  }
  if (group % 6 === 3 || group % 6 === 5) {
    const day = new Date(handOver + 3 * 86_400_000).getUTCDay() || 7;
    const roster = { slotMinutes: 60, slots: [{ teamId: 1, day, start: '12:00', end: '13:00' }] };
    return { body: { userIds, teams, roster }, shifts: [{ from: 0, userIds: [] }], isRostered: true };
  }
  return { body: { userIds }, shifts: [{ from: 0, userIds }], isRostered: false };
}

function createUser(client: HttpClient, number: string): Promise<number> {
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

/** Random behaviours, and at last the right code. */
export function anyPhones(random: Random): Phones {
  return {
    Voice: [telephone(random), telephone(random), presses(random)],
    Sms: [mobile(random), mobile(random), replies(random)],
  };
}

function presses(random: Random): Behaviour {
  return { kind: 'answers', press: 'code', afterMs: 200 + random(3_000) };
}

function telephone(random: Random): Behaviour {
  const all: Behaviour[] = [
    presses(random),
    presses(random),
    { kind: 'answers' },
    { kind: 'answers', press: '000000' },
    { kind: 'silent', ringMs: 500 + random(3_000) },
    { kind: 'busy' },
    { kind: 'refuses' },
    { kind: 'lies' },
    { kind: 'hangs' },
    { kind: 'errors', status: 500 },
    { kind: 'slow', delayMs: random(4_000), next: { kind: 'silent' } },
  ];
  return all[random(all.length)] ?? { kind: 'busy' };
}

function replies(random: Random): Behaviour {
  return { kind: 'receives', reply: '{code}', afterMs: 200 + random(3_000) };
}

function mobile(random: Random): Behaviour {
  const all: Behaviour[] = [
    replies(random),
    { kind: 'receives' },
    { kind: 'receives', reply: 'ok 000000' },
    { kind: 'accepts' },
    { kind: 'lies' },
    { kind: 'hangs' },
    { kind: 'errors', status: 500 },
    { kind: 'slow', delayMs: random(4_000), next: { kind: 'receives' } },
  ];
  return all[random(all.length)] ?? { kind: 'accepts' };
}
