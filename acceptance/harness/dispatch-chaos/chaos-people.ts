import { dice } from '../alarm-traffic.ts';
import type { OldClient } from '../old-client.ts';
import type { Behaviour } from '../phone-company/protocol.ts';
import { create, granted } from '../plant.ts';
import type { GroupPolicy } from './call-policy.ts';
import type { Companies } from './chaos-site.ts';

/** Enough of them that most are not in a flood, and a few that are. */
const groupsPerAlarm = 1 / 8;
const modes = ['Sequential', 'Sequential', 'Broadcast', 'Turnover'] as const;

export type Hired = {
  /** The last one is that of last resort. */
  groups: GroupPolicy[];
  /** By user. */
  numbers: Map<number, string>;
};

export type Staff = {
  tenantId: number;
  alarms: number;
  seed: number;
  /** When the teams of rosters change. Epoch milliseconds. */
  handOver: number;
  /** Whether all groups call alike, but for their modes and rosters. */
  isEven?: boolean;
  /** What the telephones of a group do. */
  phones: (roll: Roll, group: number) => Phones;
};

/** What a telephone does with each call, and with each text: a list is gone through, and its last stays. */
export type Phones = { Voice: Behaviour[]; Sms: Behaviour[] };

type Roll = (sides: number) => number;

/** Makes the call groups of a tenant, two people each, and lets their telephones do what telephones do. */
export async function hirePeople(client: OldClient, companies: Companies, staff: Staff): Promise<Hired> {
  const { tenantId, alarms, seed } = staff;
  const roll = dice(seed + tenantId);
  const numbers = new Map<number, string>();
  const groups: GroupPolicy[] = [];
  const count = Math.max(9, Math.ceil(alarms * groupsPerAlarm));
  for (let group = 0; group < count; group++) {
    const userIds: number[] = [];
    for (const place of [0, 1]) {
      const number = `+${tenantId}${String(seed).padStart(7, '0')}${String(group * 2 + place).padStart(4, '0')}`;
      const phones = staff.phones(roll, group);
      await companies.Voice.script(number, phones.Voice);
      await companies.Sms.script(number, phones.Sms);
      const userId = await hire(client, number);
      userIds.push(userId);
      numbers.set(userId, number);
    }
    // Every other group relieves the one after it, but for every third of those, which has only those of last resort.
    const isRelieved = group % 2 === 1 && group % 3 !== 0;
    const reliefGroupId = isRelieved ? (groups.at(-1)?.id ?? 0) : 0;
    groups.push(await formGroup(client, { staff, roll, group, count, userIds, reliefGroupId }));
  }
  const settings = { fallbackCallGroupId: groups.at(-1)?.id ?? 0 };
  granted(await client.send('PUT', '/api/v1/dispatch/settings', { body: settings }));
  return { groups, numbers };
}

type Form = {
  staff: Staff;
  roll: Roll;
  group: number;
  count: number;
  userIds: number[];
  reliefGroupId: number;
};

async function formGroup(
  client: OldClient,
  { staff, roll, group, count, userIds, reliefGroupId }: Form,
): Promise<GroupPolicy> {
  const { tenantId, seed, handOver } = staff;
  // Of the last resort everybody is always on duty.
  const roster = rosterOf(group === count - 1 ? 0 : group, { userIds, handOver });
  // Whose turn it is cannot be told from outside where teams change and take turns too.
  const place = staff.isEven ? group % modes.length : roll(modes.length);
  const mode = roster.isRostered ? 'Sequential' : (modes[place] ?? 'Sequential');
  const quick = staff.isEven
    ? { ackTimeout: 5, attempts: 2, cycles: 1 }
    : { ackTimeout: 5 + roll(4), attempts: 1 + roll(3), cycles: 1 + roll(2) };
  const name = `Group ${group} of ${seed}`;
  const id = await create(client, 'callgroups', { name, mode, ...quick, reliefGroupId, ...roster.body });
  const { ackTimeout: ackTimeoutSeconds, attempts, cycles } = quick;
  return { tenantId, id, mode, shifts: roster.shifts, ackTimeoutSeconds, attempts, cycles, reliefGroupId };
}

type Rostered = { body: object; shifts: GroupPolicy['shifts']; isRostered: boolean };

/** Of every six groups one hands over in the midst of the run, and of one nobody is on duty. */
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

/** Whatever there is; in the end everybody gives the code. */
export function anyPhones(roll: Roll): Phones {
  return {
    Voice: [telephone(roll), telephone(roll), presses(roll)],
    Sms: [mobile(roll), mobile(roll), replies(roll)],
  };
}

function presses(roll: Roll): Behaviour {
  return { kind: 'answers', press: 'code', afterMs: 200 + roll(3_000) };
}

function telephone(roll: Roll): Behaviour {
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

function replies(roll: Roll): Behaviour {
  return { kind: 'receives', reply: '{code}', afterMs: 200 + roll(3_000) };
}

function mobile(roll: Roll): Behaviour {
  const all: Behaviour[] = [
    replies(roll),
    { kind: 'receives' },
    { kind: 'receives', reply: 'ok 000000' },
    { kind: 'accepts' },
    { kind: 'lies' },
    { kind: 'hangs' },
    { kind: 'errors', status: 500 },
    { kind: 'slow', delayMs: roll(4_000), next: { kind: 'receives' } },
  ];
  return all[roll(all.length)] ?? { kind: 'accepts' };
}
