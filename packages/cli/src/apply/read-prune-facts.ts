import { type Api, readAll } from '@tocsin/client';
import type { ObjectUse, ObjectUsePage } from '@tocsin/contract';
import type { Static } from 'typebox';
import type { Section } from '../plant/kind.ts';
import { kinds } from '../plant/kinds.ts';
import type { Present } from './prune-candidates.ts';

/** What the server knows about an object that is to be removed. */
export type PruneFacts = {
  /** Uses that keep it from being deleted. */
  readonly uses: readonly ObjectUse[];
  readonly openAlarms: number;
};

/** By section and number. */
export type FactsOf = (object: Pick<Present, 'section' | 'item'>) => PruneFacts;

/** The parameters of `GET /alarms` that find the alarms of an object. */
const filters: Partial<Record<Section, string>> = {
  stations: 'stationId',
  dataServers: 'dataServerId',
  callGroups: 'callGroupId',
  scenarios: 'scenarioId',
  tagGroups: 'tagGroupId',
};

/** Sections whose objects are deleted, and which the server is asked about. A person is only disabled. */
const asked: readonly Section[] = [
  'stations',
  'dataServers',
  'groupings',
  'callGroups',
  'scenarios',
  'tagGroups',
];

const mostUses = 1_000;

/** The facts about candidates, and the open alarms of objects that call people among them. */
export async function readPruneFacts(
  api: Api,
  candidates: readonly Present[],
  callers: readonly Present[],
): Promise<FactsOf> {
  const facts = new Map<string, PruneFacts>();
  const hasTags = candidates.some(({ section }) => section === 'tags');
  const inAlarm = hasTags ? await readAll(api, '/alarms', { inactiveMasked: 1 }) : new Map();
  for (const { section, item } of candidates) {
    const { id } = item;
    const uses = asked.includes(section) ? await readUses(api, `${kinds[section].path}/${id}/uses`) : [];
    const openAlarms = section === 'tags' ? Number(inAlarm.has(id)) : await countAlarms(api, section, id);
    facts.set(`${section} ${item.id}`, { uses, openAlarms });
  }
  for (const { section, item } of callers) {
    const { uses = [] } = facts.get(`${section} ${item.id}`) ?? {};
    facts.set(`${section} ${item.id}`, { uses, openAlarms: await countAlarms(api, section, item.id) });
  }
  return ({ section, item }) => facts.get(`${section} ${item.id}`) ?? { uses: [], openAlarms: 0 };
}

async function readUses(api: Api, path: string): Promise<ObjectUse[]> {
  const { data } = await api.get<Static<typeof ObjectUsePage>>(path, { limit: mostUses });
  return data.items.filter(({ blocks }) => blocks);
}

async function countAlarms(api: Api, section: Section, id: number): Promise<number> {
  const filter = filters[section];
  if (filter === undefined) return 0;
  const { data } = await api.get<{ paging: { total: number } }>('/alarms', { [filter]: id, limit: 0 });
  return data.paging.total;
}
