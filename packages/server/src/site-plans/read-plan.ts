import type { SitePlanBody } from '@tocsin/contract';
import { invalid, unknownReference } from '../common/problem.ts';
import type { RequestContext } from '../http/collection.ts';
import { readMediaByName } from '../plant/media-file.store.ts';
import { requireReferences } from '../postgres/collections/references.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type ImageSize, imageSizeOf } from './image-size.ts';
import {
  type PositionRecord,
  type SitePlanRecord,
  type SitePlanRow,
  tagsNotOfStation,
} from './site-plan.store.ts';
import { positionRecords } from './site-plan.wire.ts';

/** The plan of a request, or a problem that names the wrong member. */
export async function readPlan(
  { transaction, principal: { stationIds } }: RequestContext,
  body: SitePlanBody,
  { stationId, before }: { stationId: number; before?: SitePlanRow },
): Promise<SitePlanRecord> {
  const image = await readImage(transaction, body.image);
  const positions = positionRecords(body.positions ?? []);
  await requireReferences(transaction, 'tagGroups', {
    references: referencesTo('tagGroup', positions),
    stationIds,
    kept: idsOf('tagGroup', before?.positions ?? []),
  });
  await requireTags(transaction, stationId, positions, before);
  return { stationId, name: body.name, ...image, positions };
}

async function readImage(
  transaction: TenantTransaction,
  name: string,
): Promise<ImageSize & { mediaFileId: number }> {
  const file = await readMediaByName(transaction, name);
  if (!file) throw unknownReference('/image', name);
  const size = imageSizeOf(file.content);
  if (!size) throw invalid('/image', `${name} is neither a PNG nor a JPEG image`);
  return { ...size, mediaFileId: file.id };
}

/** Tags belong to the station of the plan: the plans of other stations are not looked at for their place. */
async function requireTags(
  transaction: TenantTransaction,
  stationId: number,
  positions: readonly PositionRecord[],
  before: SitePlanRow | undefined,
): Promise<void> {
  const kept = new Set(idsOf('tag', before?.positions ?? []));
  const missing = await tagsNotOfStation(transaction, stationId, idsOf('tag', positions));
  const unknown = referencesTo('tag', positions).find(({ id }) => missing.has(id) && !kept.has(id));
  if (unknown) throw unknownReference(unknown.pointer, unknown.id);
}

function idsOf(object: PositionRecord['object'], positions: readonly PositionRecord[]): number[] {
  return positions.filter((position) => position.object === object).map(({ objectId }) => objectId);
}

function referencesTo(object: 'tag' | 'tagGroup', positions: readonly PositionRecord[]) {
  return positions.flatMap((position, index) =>
    position.object === object ? [{ pointer: `/positions/${index}/${object}Id`, id: position.objectId }] : [],
  );
}
