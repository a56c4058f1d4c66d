import { test as base } from 'vitest';
import { startExchange } from './exchange.ts';
import { openVoicePlant, type VoicePlant } from './voice-plant.ts';

/** A plant with three trunks: one that answers nothing at all, one that passes calls to other phones, and one that works. */
async function openPlantWithTrunks() {
  const [silent, second] = await Promise.all([startExchange(), startExchange()]);
  silent.setSilent(true);
  const plant = await openVoicePlant({}, [{ port: silent.port }, { port: second.port }]);
  const close = async () => {
    await plant.close();
    await Promise.all([silent.stop(), second.stop()]);
  };
  return { ...plant, silent, second, close };
}

/** A plant whose only trunk answers nothing at all until it is told to. */
async function openSilentPlant(): Promise<VoicePlant> {
  const plant = await openVoicePlant();
  plant.exchange.setSilent(true);
  return plant;
}

async function openPlants() {
  // The first server fills the compile cache for the others.
  const plant = await openVoicePlant();
  const [pinPlant, silentPlant, trunks] = await Promise.all([
    openVoicePlant({ answerBy: 'pin' }),
    openSilentPlant(),
    openPlantWithTrunks(),
  ]);
  return { plant, pinPlant, silentPlant, trunks };
}

/**
 * A story is a test with real telephones. The stories of a file share these servers, and run side by side, because they
 * wait most of the time.
 */
export const story = base
  .extend('opened', { scope: 'file' }, openPlants)
  .extend('plants', { scope: 'file' }, ({ opened }, { onCleanup }) => {
    onCleanup(async () => void (await Promise.all(Object.values(opened).map((plant) => plant.close()))));
    return opened;
  })
  .extend('plant', ({ plants }) => plants.plant)
  .extend('pinPlant', ({ plants }) => plants.pinPlant);

/** What history, timeline and hub say of a person who presses 1. The hub reports the end of a call, too. */
export const takenBy = (name: string): string =>
  `${name} Acknowledged: calling accepted ringing answered acknowledged acknowledged`;

export const pressesOne = { keys: [{ key: '1', afterMs: 1_000 }] } as const;
