import type { GuidanceObject } from '@tocsin/contract';
import { requireAlarm } from '../alarms/alarm.routes.ts';
import { notFound } from '../common/problem.ts';
import type { RequestContext } from '../http/collection.ts';
import { stationStore, zoneOfStation } from '../plant/station.store.ts';
import { tagGroupStore } from '../plant/tag-group.store.ts';
import type { GuidanceTarget } from './guidance.store.ts';

/** An object with guidance that the caller may see. */
export type FoundTarget = GuidanceTarget & {
  /** Null for an object of all stations. */
  stationId: number | null;
  timeZone: string;
};

type Found = Omit<FoundTarget, 'object' | 'id'>;

const finders: Record<GuidanceObject, (context: RequestContext, id: number) => Promise<Found>> = {
  tag: async ({ transaction, principal }, id) => {
    const { definition, timeZone } = await requireAlarm(transaction, id, principal);
    return { stationId: definition.stationId, timeZone };
  },
  tagGroup: async ({ transaction, principal: { stationIds } }, id) => {
    const group = await tagGroupStore.find(transaction, id, { stationIds, forUpdate: false });
    if (!group) throw notFound('tag group', id);
    const { stationId } = group;
    return { stationId, timeZone: await zoneOfStation(transaction, stationId) };
  },
  station: async ({ transaction, principal: { stationIds } }, id) => {
    const station = await stationStore.find(transaction, id, { stationIds, forUpdate: false });
    if (!station) throw notFound('station', id);
    return { stationId: id, timeZone: station.timeZone };
  },
};

/** The object, or a problem if the caller may not see it. */
export async function findTarget(
  context: RequestContext,
  { object, id }: GuidanceTarget,
): Promise<FoundTarget> {
  return { object, id, ...(await finders[object](context, id)) };
}
