import { createDatabase } from '../../../acceptance/harness/database.ts';
import { HttpClient } from '../../../acceptance/harness/http/http-client.ts';
import { firstAdmin, startServer } from '../../../acceptance/harness/server.ts';
import type { BenchContext } from '../benchmark.ts';
import type { Figure } from '../figure.ts';
import { askOften } from './ask-often.ts';
import { queryDatabase } from './query-database.ts';
import { type PastSize, writePast } from './write-past.ts';

type Question = { name: string; path: (days: string) => string; where: string; ofPeriod?: boolean };

const station = 'x.station_id = 3';

/** `days` is a period of two weeks. */
const questions: readonly Question[] = [
  { name: 'first page of a station', path: () => 'histories?stationId=3', where: station },
  {
    name: 'station, two weeks',
    path: (days) => `histories?stationId=3&${days}`,
    where: station,
    ofPeriod: true,
  },
  {
    name: 'station, two weeks, second hundred',
    path: (days) => `histories?stationId=3&offset=100&${days}`,
    where: station,
    ofPeriod: true,
  },
  {
    name: 'search of a rare word, two weeks',
    path: (days) => `histories?search=cavitation&${days}`,
    where: 'x.tag_id % 2500 = 7',
    ofPeriod: true,
  },
];

/** Filters where half of the messages embed a value: the time at each size, or the refusal that says what to ask. */
export async function measureEmbeddedValues(
  context: BenchContext,
  clusterUrl: string,
  past: Omit<PastSize, 'occurrences' | 'embedsValues'>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const occurrences of context.smoke ? [2_000] : [100_000, 1_000_000, 3_000_000]) {
    context.progress(`${occurrences.toLocaleString('en')} occurrences with values: filling`);
    const database = await createDatabase(clusterUrl);
    const server = await startServer({ databaseUrl: database.url, environment: { DRAIN_MS: '0' } });
    context.onCleanup(() => server.stop());
    const client = new HttpClient(server.baseUrl);
    context.onCleanup(async () => client.close());
    await writePast(database.url, { ...past, occurrences, embedsValues: true }, context.progress);
    await client.logIn(firstAdmin.username, firstAdmin.password);
    for (const question of questions)
      figures.push(await measure(context, { occurrences, databaseUrl: database.url, client }, question));
  }
  return figures;
}

type Values = { occurrences: number; databaseUrl: string; client: HttpClient };

const dayMs = 86_400_000;

async function measure(
  { smoke, progress }: BenchContext,
  { occurrences, databaseUrl, client }: Values,
  { name, path, where, ofPeriod = false }: Question,
): Promise<Figure> {
  const [from, to] = [40, 26].map((days) => new Date(Date.now() - days * dayMs).toISOString());
  const asked = path(`from=${from}&to=${to}`);
  const { p95, total, code } = await askOften(client, asked, smoke ? 3 : 40, 'too-many-messages');
  const known = await countPlain(
    databaseUrl,
    ofPeriod ? `${where} and o.raised_at >= '${from}' and o.raised_at < '${to}'` : where,
  );
  if (code === undefined && total !== known)
    throw new Error(`${asked}: ${total} is not the ${known} of plain SQL`);
  const outcome = code === undefined ? `total ${total}` : `400 ${code}`;
  progress(`${occurrences.toLocaleString('en')} with values: ${name}: p95 ${p95.toFixed(1)} ms, ${outcome}`);
  return {
    name: `${name}, half of ${occurrences.toLocaleString('en')} messages with values: p95`,
    value: p95,
    unit: 'ms',
    ...(!smoke && { goal: { atMost: 50 } }),
    note: outcome,
  };
}

async function countPlain(databaseUrl: string, where: string): Promise<number> {
  const [row] = await queryDatabase<{ total: string }>(
    databaseUrl,
    `select count(*) as total from occurrences o join texts x on x.tenant_id = o.tenant_id and x.id = o.text_id
     where o.tenant_id = 1 and ${where}`,
  );
  return Number(row?.total);
}
