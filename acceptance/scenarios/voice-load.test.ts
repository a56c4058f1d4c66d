import { expect, test } from 'vitest';
import { callManyPeople } from '../harness/sip/voice-load.ts';
import { openVoicePlant } from '../harness/sip/voice-plant.ts';

const people = 60;

test(`${people} people are called at the same time, all take their alarm, and no process is left`, async ({
  onTestFinished,
}) => {
  const plant = await openVoicePlant({ lines: people, ringSeconds: 30 });
  onTestFinished(() => plant.close());
  const load = await callManyPeople(plant, people);
  console.log(`${load.taken} taken in ${load.seconds.toFixed(1)} s, ${load.atOnce} calls at once`);
  expect(load).toMatchObject({ taken: people, left: 0 });
  expect(load.atOnce).toBeGreaterThanOrEqual(people - 5);
}, 240_000);
