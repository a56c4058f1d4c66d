import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api } from '@tocsin/client';
import type {
  Guidance,
  GuidanceOrigin,
  GuidanceVersion,
  MediaFile,
  ObjectGuidance,
  Tag,
  TagGroup,
} from '@tocsin/contract';
import { useServices } from '../services/services.ts';
import { guidancePath, type Level, type Levels } from './levels.ts';

type Page<Item> = { readonly items: readonly Item[] };
type Target = Pick<GuidanceOrigin, 'object' | 'id'>;

/** Deeper trees than this are a mistake, and following them would never end. */
const deepest = 16;

/** The tag groups from the top to the one of the tag. */
async function readGroups(api: Api, tagGroupId: number): Promise<readonly GuidanceOrigin[]> {
  const found: GuidanceOrigin[] = [];
  for (let id = tagGroupId; id !== 0 && found.length < deepest; ) {
    const { name, localizedName, parentId } = (await api.get<TagGroup>(`/taggroups/${id}`)).data;
    found.unshift({ object: 'tagGroup', id, name: localizedName === '' ? name : localizedName });
    id = parentId;
  }
  return found;
}

export async function readLevel(api: Api, origin: GuidanceOrigin): Promise<Level> {
  const { data, etag } = await api.get<ObjectGuidance>(guidancePath(origin));
  return { ...origin, own: data, etag };
}

/** The levels of an alarm with their own texts. Undefined until they are read. */
export function useLevels(alarmId: number): Levels | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['guidance-levels', alarmId],
    queryFn: async () => {
      const { data: tag } = await api.get<Tag>(`/tags/${alarmId}`);
      const origins: readonly GuidanceOrigin[] = [
        { object: 'station', id: tag.stationId, name: tag.station },
        ...(await readGroups(api, tag.tagGroupId)),
        { object: 'tag', id: tag.id, name: tag.localizedName === '' ? tag.path : tag.localizedName },
      ];
      return Promise.all(origins.map((origin) => readLevel(api, origin)));
    },
    // What is being written must not change because the window was looked at again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  }).data;
}

export function useVersions(target: Target): readonly GuidanceVersion[] {
  const { api } = useServices();
  const path = `${guidancePath(target)}/versions`;
  const { data } = useQuery({
    queryKey: ['guidance-versions', path],
    queryFn: async () => (await api.get<Page<GuidanceVersion>>(path, { limit: 20 })).data.items,
    gcTime: 0,
  });
  return data ?? [];
}

/** The names of the files that guidance can point to. */
export function useFileNames(): readonly string[] {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['media-files'],
    queryFn: async () => (await api.get<Page<MediaFile>>('/mediafiles', { limit: 1_000 })).data.items,
    staleTime: 60_000,
  });
  return (data ?? []).map(({ name }) => name).toSorted((a, b) => a.localeCompare(b));
}

export type GuidanceChanges = {
  save(level: Level, guidance: Guidance): Promise<void>;
  remove(level: Level): Promise<void>;
};

/** Writes for a level. It is refused if somebody else has saved since the level was read. */
export function useGuidanceChanges(): GuidanceChanges {
  const { api } = useServices();
  const queries = useQueryClient();
  const readAgain = () => queries.invalidateQueries({ queryKey: ['guidance'] });
  return {
    save: async (level, guidance) => {
      await api.put(guidancePath(level), guidance, { ifMatch: level.etag });
      await readAgain();
    },
    remove: async (level) => {
      await api.remove(guidancePath(level), { ifMatch: level.etag });
      await readAgain();
    },
  };
}
