import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import {
  nextAction,
  type Outcome,
  type Route,
  seededRandom,
  sendAction,
} from '../harness/http/alarm-traffic.ts';
import type { HttpClient } from '../harness/http/http-client.ts';
import { type Installation, installPair, logIn } from '../harness/installation.ts';
import { JournalReader, type JournalRow, replay } from '../harness/journal-reader.ts';
import { connectSql } from '../harness/sql.ts';

const actions = 20_000;
const writers = 32;
const tenants = 2;

async function openRoutes({
  servers,
  tenants,
}: Installation): Promise<(Route & { kill(): Promise<void> })[]> {
  return Promise.all(
    servers.map(async (server) => {
      let alive = true;
      const clients = new Map<number, HttpClient>();
      for (const tenant of tenants) clients.set(tenant.tenantId, await logIn(server, tenant));
      const kill = async () => {
        await server.kill();
        alive = false;
      };
      return { isAlive: () => alive, clients, kill };
    }),
  );
}

/** Runs all writers to the end; kills the first server half way. */
async function write(routes: Awaited<ReturnType<typeof openRoutes>>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const alarmIds = new Map<number, number[]>([1, 2].map((tenantId) => [tenantId, []]));
  let begun = 0;
  let killing: Promise<void> | undefined;

  const writer = async (index: number) => {
    const random = seededRandom(index + 1);
    const [first, second] = routes;
    const preferred = [first, second].flatMap((route) => route ?? []);
    if (index % 2 === 1) preferred.reverse();
    while (begun < actions) {
      const number = ++begun;
      const tenantId = 1 + (number % tenants);
      const known = alarmIds.get(tenantId) ?? [];
      const outcome = await sendAction(nextAction(number, { random, tenantId, alarmIds: known }), preferred);
      outcomes.push(outcome);
      if (outcome.alarmId > 0) known.push(outcome.alarmId);
      if (outcomes.length >= actions / 2) killing ??= first?.kill();
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, index) => writer(index)));
  await killing;
  return outcomes;
}

/**
 * Journal entries by mark: the mark of a post is its value, that of an acknowledgment its detail (a comment if the alarm was
 * acknowledged already).
 */
function countMarks(rows: readonly JournalRow[]): Map<string, JournalRow[]> {
  const acknowledged = (kind: string) => kind === 'acknowledged' || kind === 'commented';
  return Map.groupBy(rows, ({ kind, value, detail }) => (acknowledged(kind) ? detail : value));
}

async function readNumbers(client: pg.Client, sql: string, tenantId: number): Promise<number[]> {
  const { rows } = await client.query<{ number: number }>(sql, [tenantId]);
  return rows.map(({ number }) => number);
}

const fromOneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('the journal has no gap and no double while two servers write and one of them is killed', async () => {
  const installation = await installPair({ tenantCount: tenants });
  onTestFinished(() => installation.close());
  const { databaseUrl } = installation;
  const routes = await openRoutes(installation);
  const readers = await Promise.all([1, 2].map((tenantId) => JournalReader.open(databaseUrl, tenantId)));

  let written = false;
  const started = performance.now();
  let seconds = 0;
  const writing = write(routes).finally(() => {
    written = true;
    seconds = (performance.now() - started) / 1_000;
  });
  const following = readers.map((reader) => reader.follow(() => written));
  const [outcomes] = await Promise.all([writing, ...following]);

  expect(outcomes).toHaveLength(actions);
  const retried = outcomes.filter(({ tries }) => tries > 1);
  const unknown = outcomes.filter(({ answer }) => answer === 'unknown');
  console.log(
    `${actions} actions of ${writers} writers in ${seconds.toFixed(1)} s: ${Math.round(actions / seconds)}/s; ` +
      `${retried.length} sent again, ${unknown.length} of unknown outcome; ` +
      `readers found something new ${readers.map(({ finds }) => finds).join(' and ')} times`,
  );
  // Otherwise the kill had no effect, or the readers started too late.
  expect(retried.length).toBeGreaterThan(0);
  for (const { finds } of readers) expect(finds).toBeGreaterThan(100);

  const owner = await connectSql(databaseUrl);
  for (const [index, reader] of readers.entries()) {
    const tenantId = index + 1;
    const own = outcomes.filter((outcome) => outcome.tenantId === tenantId);
    await expectDense(owner, reader, tenantId);
    await expectOutcomes(owner, reader, own);
    await expectReplay(owner, reader, tenantId);
  }
});

async function expectDense(owner: pg.Client, reader: JournalReader, tenantId: number): Promise<void> {
  const { rows } = await owner.query<{ seq: number; tags: number; occurrences: number }>(
    `select seq::integer, tag_id::integer as tags, occurrence_id::integer as occurrences from tenant_counters where tenant_id = $1`,
    [tenantId],
  );
  const { seq, tags, occurrences } = rows[0] ?? { seq: 0, tags: 0, occurrences: 0 };
  const numbers = (column: string, table: string) =>
    readNumbers(
      owner,
      `select ${column}::integer as number from ${table} where tenant_id = $1 order by 1`,
      tenantId,
    );
  expect(seq).toBeGreaterThan(actions / tenants / 2);
  expect(await numbers('seq', 'journal')).toEqual(fromOneTo(seq));
  expect(reader.rows.map((row) => row.seq)).toEqual(fromOneTo(seq));
  expect(await numbers('id', 'tags')).toEqual(fromOneTo(tags));
  expect(await numbers('id', 'occurrences')).toEqual(fromOneTo(occurrences));
}

/** Each action answered 200 is in the journal once, others at most once. */
async function expectOutcomes(
  owner: pg.Client,
  reader: JournalReader,
  outcomes: readonly Outcome[],
): Promise<void> {
  const tenantId = outcomes[0]?.tenantId ?? 0;
  const marks = countMarks(reader.rows);
  const tags = new Set(
    await readNumbers(owner, 'select id::integer as number from tags where tenant_id = $1', tenantId),
  );
  const occurrenceIds = new Set(
    await readNumbers(owner, 'select id::integer as number from occurrences where tenant_id = $1', tenantId),
  );
  const faults = outcomes.flatMap(({ mark, kind, answer, alarmId }) => {
    const entries = marks.get(mark) ?? [];
    if (entries.length > 1) return `${mark} stands ${entries.length} times in the journal`;
    if (answer === 'unknown') return [];
    if (!tags.has(alarmId)) return `${mark}: there is no tag ${alarmId}`;
    if (kind === 'acknowledge') return [];
    const [entry] = entries;
    if (entry?.tagId !== alarmId) return `${mark} was answered ${alarmId}, the journal has ${entry?.tagId}`;
    if (kind === 'raise' && !occurrenceIds.has(entry.occurrenceId))
      return `${mark}: there is no occurrence ${entry.occurrenceId}`;
    return [];
  });
  expect(faults).toEqual([]);
}

async function expectReplay(owner: pg.Client, reader: JournalReader, tenantId: number): Promise<void> {
  const { rows: alarms } = await owner.query<{ tag: number; state: number }>(
    'select tag_id::integer as tag, state & 3 as state from alarms where tenant_id = $1 order by tag_id',
    [tenantId],
  );
  const replayed = [...replay(reader.rows)].toSorted(([a], [b]) => a - b);
  expect(replayed).toEqual(alarms.map(({ tag, state }) => [tag, state]));

  const { rows: ends } = await owner.query(
    `select count(*)::integer as raised, count(acknowledged_at)::integer as acknowledged, count(reset_at)::integer as reset
     from occurrences where tenant_id = $1`,
    [tenantId],
  );
  const count = (wanted: string) => reader.rows.filter(({ kind }) => kind === wanted).length;
  expect(ends).toEqual([
    { raised: count('raised'), acknowledged: count('acknowledged'), reset: count('reset') },
  ]);
}
