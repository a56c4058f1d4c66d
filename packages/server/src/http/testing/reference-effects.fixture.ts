import type { CommandList } from '../../commands/command-list.ts';
import { runCommands } from '../../commands/run-commands.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { type Named, type Naming, scriptIds } from './reference-requests.fixture.ts';
import { admin, type Caller, type Place, type Sent, type TwoPlants } from './two-plants.fixture.ts';

/** The answer to a request and all its effects, without the reference itself. */
export type Effect = { status: number; seen: string };

/** Sends the request and reads all its possible effects. */
export async function effectOf(
  plants: TwoPlants,
  caller: Caller,
  { request, to, named }: { request: Sent; to: Naming; named: Named },
): Promise<Effect> {
  const { statusCode: status, body, headers } = await plants.send(caller, request);
  const [, rows, id = body] = /^\/api\/v1\/(alarms|scenarios)\/?(\d+)?$/.exec(request.url) ?? [];
  const isWritten = status === 200 && request.method !== 'GET';
  const follows = async () => {
    if (isWritten && rows === 'alarms') return alarmEffects(plants, to, Number(body));
    if (isWritten && rows === 'scenarios' && to.kind === 'command')
      return scenarioEffects(plants, caller, { to, scenarioId: Number(id) });
    // Some answers tell until when they count.
    const timeless = body.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, 'TIME');
    return JSON.stringify([timeless, headers['call-refusal']]);
  };
  return { status, seen: withoutName(await follows(), named) };
}

/** The effects of an alarm on its three occasions. */
async function alarmEffects(plants: TwoPlants, { kind }: Naming, alarmId: number): Promise<string> {
  const { send, runtime } = plants;
  const url = `/api/v1/alarms/${alarmId}`;
  if (kind !== 'media-file') {
    for (const verb of ['acknowledge', 'reset'])
      await send(admin(1), { method: 'POST', url: `${url}/${verb}`, body: {} });
  }
  if (kind === 'command' || kind === 'scenario') await decideRuns(plants);
  const timeline = await send(admin(1), { method: 'GET', url: `${url}/timeline?limit=100` });
  const told = timeline.json<{ items: { kind: string; detail: string }[] }>().items;
  const followed = await inTenant(runtime.database, 1, async ({ client }) => {
    const { rows } = await client.query(
      `select array(select json_build_array(d.plan -> 'targets', d.plan -> 'people') from escalations d
                    where d.tenant_id = 1 and d.tag_id = $1 order by d.id) as called,
         array(select concat_ws(' ', r.occasion, r.status, r.reason, r.granted_by) from command_runs r
               where r.tenant_id = 1 and r.tag_id = $1 order by r.id) as ran,
         array(select s.message from system_alarms s where s.tenant_id = 1 and s.path = 'actions/' || $1) as told`,
      [alarmId],
    );
    return rows;
  });
  const seen = JSON.stringify([told.map((entry) => [entry.kind, entry.detail]), followed]);
  return seen.replaceAll(/alarm \d+ \([^)]*\)/g, 'ALARM');
}

/** The effects of an alarm that runs the scenario. */
async function scenarioEffects(
  plants: TwoPlants,
  caller: Caller,
  { to, scenarioId: id }: { to: Naming; scenarioId: number },
): Promise<string> {
  const { stationId, dataServerId } = plants.valmont;
  const actions = [{ type: 'Scenario', id }];
  const place = { path: crypto.randomUUID(), stationId, dataServerId };
  const body = { ...place, alarmActions: actions, resetActions: actions, ackActions: actions };
  const raised = await plants.send(caller, { method: 'POST', url: '/api/v1/alarms', body });
  return (await alarmEffects(plants, to, Number(raised.body))).replaceAll(`scenario:${id}`, 'scenario:ID');
}

/** Checks all due runs against a list with one command for each place. */
async function decideRuns({ runtime, valmont, ardenne, brenner }: TwoPlants): Promise<void> {
  const list = { hash: 'f'.repeat(64), entries: [valmont, ardenne, brenner].map(entryOf) };
  await runCommands(runtime, { list, capacity: { free: 64, held: new Map() }, begin: () => {} });
}

function entryOf({ word, tenantId, stationId }: Place): CommandList['entries'][number] {
  const id = scriptIds[word as keyof typeof scriptIds];
  const program = { argv: ['/bin/true'], params: [], timeoutMs: 1_000, cwd: '/', maxParallel: 64 };
  return { id, tenantId, stations: [stationId], ...program };
}

function withoutName(text: string, named: Named): string {
  return text.replaceAll(new RegExp(`(?<![\\w.])${named}(?!\\w)`, 'g'), 'NAMED');
}
