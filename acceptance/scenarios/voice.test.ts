import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { story } from '../harness/sip/voice-story.ts';
import { tellAnswerStories } from './voice-stories/answers.ts';
import { tellOutcomeStories } from './voice-stories/outcomes.ts';
import { tellTrunkStories } from './voice-stories/trunks.ts';

// The start of the servers is not part of the time that a story may take.
story.beforeAll(({ plants }) => void plants);

// One file of tests, so that all stories share their servers and wait at the same time.
tellAnswerStories();
tellOutcomeStories();
tellTrunkStories();

story('no process and no file of a call is left behind', async ({ plants, expect }) => {
  const left = async (callFolder: string) => {
    const folders = (await readdir(callFolder)).filter((name) => name.startsWith('server-'));
    const calls = await Promise.all(folders.map((name) => readdir(join(callFolder, name))));
    return calls.flat().filter((name) => name.startsWith('call-'));
  };
  for (const { callFolder } of Object.values(plants))
    await expect.poll(() => left(callFolder), { timeout: 20_000 }).toEqual([]);
});
