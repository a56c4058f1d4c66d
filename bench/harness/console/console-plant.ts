import { alarmOf } from '../../../acceptance/harness/console/plant-storm.ts';
import { buildWaterworks, type Waterworks } from '../../../acceptance/harness/console/waterworks.ts';
import { createDatabase } from '../../../acceptance/harness/database.ts';
import { granted } from '../../../acceptance/harness/http/granted.ts';
import { HttpClient } from '../../../acceptance/harness/http/http-client.ts';
import { firstAdmin, startServer } from '../../../acceptance/harness/server.ts';
import type { BenchContext } from '../benchmark.ts';
import { startFlushingCluster } from '../plant.ts';

export type ConsolePlant = {
  readonly baseUrl: string;
  readonly client: HttpClient;
  readonly works: Waterworks;
};

const atOnce = 50;

/** The waterworks of the acceptance tests, with that many alarms raised. */
export async function startConsolePlant(context: BenchContext, alarms: number): Promise<ConsolePlant> {
  const database = await createDatabase(await startFlushingCluster(context));
  const environment = { DRAIN_MS: '0', ROLES: 'api,hub' };
  const { baseUrl, stop } = await startServer({ databaseUrl: database.url, environment });
  context.onCleanup(stop);
  const client = new HttpClient(baseUrl);
  context.onCleanup(async () => client.close());
  granted(await client.logIn(firstAdmin.username, firstAdmin.password));
  const works = await buildWaterworks({ client });
  context.progress(`raising ${alarms} alarms`);
  for (let first = 0; first < alarms; first += atOnce) {
    const tags = Array.from({ length: Math.min(atOnce, alarms - first) }, (_, index) => first + index);
    const answers = await Promise.all(
      tags.map((tag) => client.post('/api/v1/alarms', { ...alarmOf(works, tag), raised: true })),
    );
    for (const answer of answers) granted(answer);
  }
  return { baseUrl, client, works };
}
