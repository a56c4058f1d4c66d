import type { PlanPosition, SitePlan } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { invalid } from '../common/problem.ts';
import type { PositionRecord, SitePlanRow } from './site-plan.store.ts';

/** The positions of a request. Each names one thing, and each thing has one place on the plan. */
export function positionRecords(positions: readonly PlanPosition[]): PositionRecord[] {
  const places = new Map<string, number>();
  return positions.map((position, index) => {
    const record = positionRecord(position, index);
    const key = `${record.object} ${record.objectId} ${record.beaconId}`;
    const other = places.get(key);
    if (other !== undefined) throw invalid(`/positions/${index}`, `names the same as position ${other}`);
    places.set(key, index);
    return record;
  });
}

function positionRecord({ x, y, label = '', ...named }: PlanPosition, index: number): PositionRecord {
  const { tagId, tagGroupId, beaconId } = named;
  const given = [tagId, tagGroupId, beaconId].filter((name) => name !== undefined);
  if (given.length !== 1)
    throw invalid(`/positions/${index}`, 'must name exactly one of tagId, tagGroupId and beaconId');
  const place = { x, y, label };
  if (tagId !== undefined) return { object: 'tag', objectId: tagId, beaconId: '', ...place };
  if (tagGroupId !== undefined) return { object: 'tagGroup', objectId: tagGroupId, beaconId: '', ...place };
  return { object: 'beacon', objectId: 0, beaconId: beaconId ?? '', ...place };
}

export function toSitePlan(row: SitePlanRow): SitePlan {
  const { id, stationId, name, image, mediaFileId, width, height, positions, lastChange } = row;
  return {
    id,
    stationId,
    name,
    image,
    imageId: mediaFileId,
    width,
    height,
    positions: positions.map(toPosition),
    lastChange: formatUtc(lastChange),
  };
}

function toPosition({ object, objectId, beaconId, x, y, label }: PositionRecord): PlanPosition {
  return {
    x,
    y,
    ...(label !== '' && { label }),
    ...(object === 'tag' && { tagId: objectId }),
    ...(object === 'tagGroup' && { tagGroupId: objectId }),
    ...(object === 'beacon' && { beaconId }),
  };
}
