import { Registry } from 'prom-client';
import { expect } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { metricValue, metricValues } from '../../testing/metric-values.ts';
import { test } from '../testing/dispatch.fixture.ts';
import { watchCalling } from './watch-calling.ts';

async function stateOf(registry: Registry) {
  const read = (name: string) => metricValue(registry, name);
  return {
    open: await read('tocsin_escalations_open'),
    overdue: await read('tocsin_escalations_overdue'),
    lagSeconds: await read('tocsin_dispatch_lag_seconds'),
  };
}

test('an escalation that no dispatcher advances is open, then late, then overdue', async ({
  runtime,
  technicians,
  work,
  clock,
}) => {
  const registry = new Registry();
  const { run } = watchCalling(runtime, registry);
  expect(await stateOf(registry), 'not yet read').toEqual({ open: NaN, overdue: NaN, lagSeconds: NaN });
  await run();
  expect(await stateOf(registry)).toEqual({ open: 0, overdue: 0, lagSeconds: 0 });

  await technicians.raise();
  clock.advance(20);
  await run();
  expect(await stateOf(registry)).toEqual({ open: 1, overdue: 0, lagSeconds: 20 });
  clock.advance(41);
  await run();
  expect(await stateOf(registry)).toEqual({ open: 1, overdue: 1, lagSeconds: 61 });

  await work();
  await run();
  expect(await stateOf(registry)).toEqual({ open: 1, overdue: 0, lagSeconds: 0 });
});

test('a flood is counted up to 10,000', async ({ runtime, clock }) => {
  const registry = new Registry();
  const { run } = watchCalling(runtime, registry);
  await inTenant(runtime.database, 1, ({ client }) =>
    client.query(
      `insert into escalations (tenant_id, occasion, priority, plan, state, opened_at, first_due_at, due_at)
       select 1, 'raised', 1, '{}', '{}', $1, $1, $1 from generate_series(1, 10050)`,
      [clock.now()],
    ),
  );
  clock.advance(61);
  await run();
  expect(await stateOf(registry)).toEqual({ open: 10_000, overdue: 10_000, lagSeconds: 61 });
});

async function addChannel(admin: Client, name: string, medium: 'Voice' | 'Sms'): Promise<number> {
  const settings = { url: 'http://127.0.0.1:1' };
  return (await admin.post('/channels', { name, kind: 'simulated', medium, settings })).json<number>();
}

function setDown({ database }: Runtime, channelId: number, down: boolean): Promise<unknown> {
  return inTenant(database, 1, (transaction) =>
    transaction.updateTable('channelHealth').set({ down }).where('channelId', '=', channelId).execute(),
  );
}

test('channels are counted by medium and state, and a tenant without a healthy one is noticed', async ({
  runtime,
  client,
}) => {
  const registry = new Registry();
  const { run } = watchCalling(runtime, registry);
  const read = async () => {
    await run();
    return {
      channels: await metricValues(registry, 'tocsin_channels'),
      without: await metricValue(registry, 'tocsin_tenants_without_healthy_channel'),
    };
  };
  expect(await read()).toEqual({ channels: {}, without: 0 });

  const voice = await addChannel(client('admin'), 'Trunk', 'Voice');
  await setDown(runtime, voice, true);
  const trunkDown = { '{medium="Voice",state="healthy"}': 0, '{medium="Voice",state="down"}': 1 };
  expect(await read()).toEqual({ channels: trunkDown, without: 1 });

  await addChannel(client('admin'), 'Modem', 'Sms');
  const modem = { '{medium="Sms",state="healthy"}': 1, '{medium="Sms",state="down"}': 0 };
  expect(await read()).toEqual({ channels: { ...trunkDown, ...modem }, without: 0 });

  await setDown(runtime, voice, false);
  expect((await read()).channels).toMatchObject({ '{medium="Voice",state="healthy"}': 1 });
});
