import pg from 'pg';
import { create, logInAs, type Plant, raise } from '../plant.ts';

/** A tag of the simulated plant. Those of the same weight raise equally often. */
type YearTag = {
  readonly path: string;
  readonly message: string;
  readonly priority: number;
  readonly weight: number;
};

const tags: readonly YearTag[] = [
  { path: 'Filt.V402.POS', message: 'Inlet valve V402 position', priority: 4, weight: 30 },
  { path: 'Int.TB001.H', message: 'Raw water turbidity', priority: 3, weight: 20 },
  { path: 'Tel.BEL.COMM', message: 'Link to Bellecombe lost', priority: 4, weight: 16 },
  { path: 'Lab.SP12.FLOW', message: 'Sampling pump SP12 no flow', priority: 4, weight: 11 },
  { path: 'Chlor.PT221.L', message: 'Dosing line pressure low', priority: 2, weight: 8 },
  { path: 'Slud.LT622.H', message: 'Sludge tank 2 level high', priority: 4, weight: 7 },
  { path: 'Int.FT118.QUAL', message: 'Flow meter FT118 signal noisy', priority: 4, weight: 5 },
  { path: 'Filt.DP404.H', message: 'Filter 4 head loss high', priority: 3, weight: 4 },
  { path: 'Hau.UPS1.BATT', message: 'UPS 1 on battery', priority: 2, weight: 3 },
  { path: 'Pow.MCC2.DOOR', message: 'MCC 2 cabinet door open', priority: 4, weight: 3 },
  { path: 'Chlor.CL201.LL', message: 'Chlorine residual low-low', priority: 1, weight: 1 },
  { path: 'Bel.LT210.ROC', message: 'Reservoir 2 level falling fast', priority: 2, weight: 1 },
];

export type SimulatedYear = {
  readonly stationId: number;
  readonly occurrences: number;
  /** Of the tags, in the order of the list. */
  readonly tagIds: readonly number[];
};

const dayMs = 86_400_000;
const days = 365;

type Occurrence = { tag: number; at: number; acknowledged: number | null; reset: number | null };

/**
 * A year of a waterworks up to now: quiet days, two floods, a valve that chatters, and an alarm that nobody mends. Tags,
 * groups and people come through the interface; the past is written by SQL, because no clock goes back.
 */
export async function simulateYear(plant: Plant, now: number): Promise<SimulatedYear> {
  const groups: number[] = [];
  for (const name of ['Process', 'Electrical', 'Telemetry'])
    groups.push(await create(plant.client, 'taggroups', { name }));
  const stationId = 1;
  const tagIds: number[] = [];
  for (const [index, { path, message, priority }] of tags.entries()) {
    const tagGroupId = groups[index % groups.length];
    const definition = { path, stationId, tagGroupId, priority, alarmMessage: message, raised: false };
    tagIds.push(await raise(plant.client, definition));
  }
  const people = [];
  for (const [username, name] of [
    ['anna', 'Anna Keller'],
    ['ben', 'Ben Moreau'],
  ] as const)
    people.push((await logInAs(plant, { username, name, role: 'operator' })).id);
  const occurrences = happenings(now);
  await writeYear(plant.databaseUrl, { occurrences, tagIds, groups, people });
  return { stationId, tagIds, occurrences: occurrences.length };
}

/** The same numbers in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function happenings(now: number): Occurrence[] {
  const random = createRandom(7);
  const weights = tags.flatMap(({ weight }, tag) => Array.from({ length: weight }, () => tag));
  const anyTag = () => weights[Math.floor(random() * weights.length)] ?? 0;
  const second = (ms: number) => Math.floor(ms / 1000) * 1000;
  const begin = second(now) - days * dayMs;
  const raises = Array.from({ length: 2_700 }, () => ({
    tag: anyTag(),
    at: begin + random() * (days - 0.1) * dayMs,
  }));
  // Two floods, and a valve that comes and goes each twelve seconds.
  for (const [daysAgo, count] of [
    [5, 46],
    [200, 80],
  ] as const)
    for (let step = 0; step < count; step += 1)
      raises.push({ tag: anyTag(), at: second(now) - daysAgo * dayMs + random() * 1_500_000 });
  for (let step = 0; step < 60; step += 1)
    raises.push({ tag: 0, at: second(now) - 3 * dayMs + step * 12_000 });
  raises.push({ tag: 10, at: second(now) - 2 * dayMs });
  const rising = raises
    .map(({ tag, at }) => ({ tag, at: second(at) }))
    .toSorted((one, other) => one.at - other.at);
  return rising.flatMap(({ tag, at }, index) => {
    const next = rising.slice(index + 1).find((later) => later.tag === tag);
    // Nobody has mended the last one of the chlorine.
    const isOpen = tag === 10 && !next;
    if (next?.at === at) return [];
    const reset = Math.min(next ? next.at - 1000 : now, at + 4_000 + second(random() * 7_200_000));
    const acknowledged = random() < 0.8 ? at + 1_000 + second(random() * 360_000) : null;
    return [{ tag, at, acknowledged, reset: isOpen ? null : Math.max(at, second(reset)) }];
  });
}

type Written = {
  occurrences: readonly Occurrence[];
  tagIds: readonly number[];
  groups: readonly number[];
  people: readonly number[];
};

async function writeYear(databaseUrl: string, written: Written): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await writeRows(client, written);
  } finally {
    await client.end();
  }
}

async function writeRows(client: pg.Client, { occurrences, tagIds, groups, people }: Written): Promise<void> {
  await client.query("begin; select set_config('tocsin.tenant', '1', true)");
  for (const [index, { message }] of tags.entries())
    await client.query(
      `insert into texts (tenant_id, id, tag_id, digest, message, comment, search_text, station_id, data_server_id, tag_group_id)
       select 1, $1, $2, 'simulated', $3, '', chr(1) || lower($3), 1, t.data_server_id, $4 from tags t
       where t.tenant_id = 1 and t.id = $2`,
      [1_000 + index, tagIds[index], message, groups[index % groups.length]],
    );
  await client.query(
    `insert into occurrences (tenant_id, id, raised_at, tag_id, priority, text_id, acknowledged_at, ack_user_id, reset_at, repeats)
     select 1, o.* , 0 from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[],
       $6::timestamptz[], $7::bigint[], $8::timestamptz[]) o`,
    [
      occurrences.map((_, index) => index + 1),
      occurrences.map(({ at }) => new Date(at)),
      occurrences.map(({ tag }) => tagIds[tag]),
      occurrences.map(({ tag }) => tags[tag]?.priority),
      occurrences.map(({ tag }) => 1_000 + tag),
      occurrences.map(({ acknowledged }) => acknowledged && new Date(acknowledged)),
      occurrences.map(({ acknowledged }, index) => acknowledged && people[index % people.length]),
      occurrences.map(({ reset }) => reset && new Date(reset)),
    ],
  );
  await client.query(
    `update alarms a set occurrence_id = o.id, raised_at = o.raised_at, state = case when o.reset_at is null then 3 else 0 end
     from (select distinct on (tag_id) * from occurrences where tenant_id = 1 order by tag_id, id desc) o
     where a.tenant_id = 1 and a.tag_id = o.tag_id`,
  );
  await client.query(`update tenant_counters set occurrence_id = $1, text_id = 2000 where tenant_id = 1`, [
    occurrences.length,
  ]);
  await client.query('select rebuild_roll_ups()');
  await client.query('commit');
}
