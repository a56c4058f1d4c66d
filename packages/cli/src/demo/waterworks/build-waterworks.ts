import { writeFileSync } from 'node:fs';
import { type Api, readAll } from '@tocsin/client';
import { stringify } from 'yaml';
import { applyPlantFile, withoutFaults } from '../../apply/apply-plant-file.ts';
import { readPlantFile } from '../../plant/plant-file.ts';
import type { DemoFolder } from '../folder/demo-folder.ts';
import { guidance } from './guidance.ts';
import { people } from './people.ts';
import { channelEntries, firstNames, plantEntries } from './plant-entries.ts';

type Named = { readonly id: number; readonly name: string };

const title = `# The waterworks of the demo. \`tocsin apply -f plant.yaml\` brings a server to this state.
`;

/**
 * Brings the server to the plant of the demo, through the interface. A plant that was built before is left as it is, because
 * the visitor may have changed it; only the address of the telephones is brought up to date.
 */
export async function buildWaterworks(api: Api, folder: DemoFolder, phonesUrl: string): Promise<void> {
  folder.secret('phones.secret');
  if (folder.recall('built') === undefined) await buildAnew(api, folder, phonesUrl);
  else await applyEntries(api, folder, { channels: channelEntries(phonesUrl) });
  folder.remember('built', phonesUrl);
}

/** Whether the plant was built before, and calls the telephones at this address. */
export const isBuilt = (folder: DemoFolder, phonesUrl: string) => folder.recall('built') === phonesUrl;

async function buildAnew(api: Api, folder: DemoFolder, phonesUrl: string): Promise<void> {
  for (const { username, number } of people) if (number === undefined) folder.secret(`${username}.password`);
  await nameFirstObjects(api);
  const entries = plantEntries(phonesUrl);
  writeFileSync(folder.plantFile, `${title}${stringify(entries, { lineWidth: 120 })}`);
  await applyEntries(api, folder, entries);
  await writeGuidance(api);
  folder.remember('scada.key', await createKey(api));
}

/** Applied as a file is, so that the demo shows what `tocsin apply` does. */
async function applyEntries(api: Api, { plantFile }: DemoFolder, entries: object): Promise<void> {
  const file = withoutFaults(readPlantFile(plantFile, stringify(entries)), plantFile);
  await applyPlantFile(api, file, { dryRun: false, prune: false, renewSecrets: false });
}

/** A new installation has a station and a data server: they become those of the plant. */
async function nameFirstObjects(api: Api): Promise<void> {
  const rename = async (path: string, change: object) => {
    const { data, etag } = await api.get<object>(path);
    await api.put(path, { ...data, ...change }, { ifMatch: etag });
  };
  await rename('/stations/1', { name: firstNames.station, timeZone: 'Europe/Paris' });
  await rename('/dataservers/1', { name: firstNames.dataServer });
}

async function writeGuidance(api: Api): Promise<void> {
  for (const { id, name } of (await readAll<Named>(api, '/taggroups')).values()) {
    const text = guidance[name];
    if (text) await api.put(`/taggroups/${id}/guidance`, text);
  }
}

/** The key of the control system can send alarms of its data servers, and nothing else. */
async function createKey(api: Api): Promise<string> {
  const dataServerIds = [...(await dataServerNumbers(api)).values()];
  const { data } = await api.post<{ key: string }>('/apikeys', { name: 'Control system', dataServerIds });
  return data.key;
}

/** The numbers of the data servers by name. */
export async function dataServerNumbers(api: Api): Promise<ReadonlyMap<string, number>> {
  const found = await readAll<Named>(api, '/dataservers');
  return new Map([...found.values()].map(({ id, name }) => [name, id]));
}
