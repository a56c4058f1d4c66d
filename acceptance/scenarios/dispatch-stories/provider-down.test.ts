import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type TestContext, test } from 'vitest';
import { type Colleague, type OnCallPlant, openOnCallPlant } from '../../harness/on-call/on-call-plant.ts';
import { startPhoneCompany } from '../../harness/phone-company/phone-company.ts';
import { create, granted, type Page, raise, read } from '../../harness/plant.ts';

// Each test has its own plant, because a faulty provider affects all calls.

async function ownPlant({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<OnCallPlant> {
  const plant = await openOnCallPlant();
  onTestFinished(() => plant.close());
  return plant;
}

function called(plant: OnCallPlant, { phone }: Colleague, withinMs = 20_000) {
  return plant.log.until(({ event, to }) => event === 'accepted' && to === phone, { withinMs });
}

const callsGroup = (id: number) => ({ alarmActions: [{ type: 'CallGroup', id }] });

test.concurrent('when the first phone company is down the second is used, and the first again when it works', async (context) => {
  const plant = await ownPlant(context);
  const second = await startPhoneCompany();
  context.onTestFinished(() => second.stop());
  const settings = { url: second.url };
  const spare = { name: 'Spare', kind: 'simulated', medium: 'Voice', priority: 2, settings };
  await create(plant.client, 'channels', spare);
  const ada = await plant.hire('Ada');
  await second.script(ada.phone, { kind: 'accepts' });
  const groupId = await plant.group([ada], { ackTimeout: 120, attempts: 4 });

  await plant.company.faults({ status: 500 });
  const first = await raise(plant.client, { path: 'a', ...callsGroup(groupId) });
  await second.until(({ event }) => event === 'accepted', { withinMs: 40_000 });
  expect(plant.callsTo(ada)).toEqual([]);
  granted(await plant.client.post(`/api/v1/alarms/${first}/acknowledge`, {}));

  await plant.company.faults({});
  await sleep(16_000);
  await raise(plant.client, { path: 'b', ...callsGroup(groupId) });
  await called(plant, ada);
}, 120_000);

test.concurrent('when every phone company is down the call is repeated, and succeeds as soon as one works', async (context) => {
  const plant = await ownPlant(context);
  const ada = await plant.hire('Ada');
  await plant.company.faults({ status: 500 });
  await raise(plant.client, callsGroup(await plant.group([ada])));
  await sleep(8_000);
  expect(plant.callsTo(ada)).toEqual([]);
  await plant.company.faults({});
  await called(plant, ada, 40_000);
}, 120_000);

test.concurrent('when nobody answers the fallback group is called, a system alarm is raised, and calling goes on', async (context) => {
  const plant = await ownPlant(context);
  const silent = { phone: { kind: 'silent' } } as const;
  const [ada, grace] = [await plant.hire('Ada', silent), await plant.hire('Grace', silent)];
  const fallbackCallGroupId = await plant.group([grace]);
  const body = { fallbackCallGroupId };
  granted(await plant.client.send('PUT', '/api/v1/dispatch/settings', { body }));
  const alarmId = await raise(plant.client, callsGroup(await plant.group([ada])));
  await called(plant, grace);
  expect(plant.callsTo(ada)).toHaveLength(1);
  const exhausted = `tocsin/dispatch/exhausted/${alarmId}`;
  let paths: string[] = [];
  for (let look = 0; look < 90 && !paths.includes(exhausted); look++) {
    await sleep(1_000);
    paths = (await read<Page<{ path: string }>>(plant.client, 'alarms?limit=100')).items.map(
      ({ path }) => path,
    );
  }
  expect(paths).toContain(exhausted);
  const before = plant.callsTo(ada).length;
  await plant.log.until(({ event, to }) => event === 'accepted' && to === ada.phone, {
    count: before + 1,
    withinMs: 40_000,
  });
}, 180_000);
