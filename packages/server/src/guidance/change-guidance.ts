import type { GuidanceBody, ObjectGuidance } from '@tocsin/contract';
import { notFound } from '../common/problem.ts';
import type { Answer } from '../http/answer.ts';
import type { RequestContext } from '../http/collection.ts';
import { entityTag, requireVersion } from '../http/entity-tag.ts';
import { type Principal, requireStation } from '../http/principal.ts';
import { requireMediaNames } from '../plant/media-file.store.ts';
import { lockWrites } from '../postgres/write-lock.ts';
import { type FoundTarget, findTarget } from './find-target.ts';
import {
  addGuidanceVersion,
  findNewestGuidance,
  type GuidanceRow,
  type GuidanceTarget,
} from './guidance.store.ts';
import { emptyGuidance, guidanceOf, toObjectGuidance } from './guidance.wire.ts';

/** The request, with the version that its sender has seen. */
type Sent = Parameters<typeof requireVersion>[0];

/** Writes a new version for an object that the caller may change. */
export async function changeGuidance(
  context: RequestContext,
  wanted: GuidanceTarget,
  request: Sent & { body: GuidanceBody },
): Promise<Answer<ObjectGuidance>> {
  const { transaction, principal } = context;
  const { target, before } = await findForChange(context, wanted, request);
  const guidance = guidanceOf(request.body);
  await requireMediaNames(transaction, '/files', guidance.files);
  const version = (before?.version ?? 0) + 1;
  await addGuidanceVersion(transaction, target, {
    ...guidance,
    version,
    state: 'current',
    ...authorOf(principal),
  });
  const after = toObjectGuidance(await findNewestGuidance(transaction, target), target.timeZone);
  const audit = { id: target.id, before: auditedGuidance(before), after: guidance };
  return { body: after, headers: { etag: entityTag(version) }, audit };
}

/** Adds a version without texts, so that the object has the guidance of the object above it. */
export async function deleteGuidance(
  context: RequestContext,
  wanted: GuidanceTarget,
  request: Sent,
): Promise<Answer<null>> {
  const { transaction, principal } = context;
  const { target, before } = await findForChange(context, wanted, request);
  if (before?.state !== 'current') throw notFound(`guidance of ${target.object}`, target.id);
  await addGuidanceVersion(transaction, target, {
    ...emptyGuidance,
    version: before.version + 1,
    state: 'deletion',
    ...authorOf(principal),
  });
  return { body: null, audit: { id: target.id, before: auditedGuidance(before) } };
}

/** Lets one writer at a time decide on the next version, and refuses those who have seen an older one. */
async function findForChange(
  context: RequestContext,
  wanted: GuidanceTarget,
  request: Sent,
): Promise<{ target: FoundTarget; before: GuidanceRow | undefined }> {
  const { transaction, principal } = context;
  const target = await findTarget(context, wanted);
  requireStation(principal, target.stationId);
  await lockWrites(transaction, 'guidance');
  const before = await findNewestGuidance(transaction, target);
  requireVersion(request, before?.version ?? 0);
  return { target, before };
}

function authorOf({ name, subject }: Principal) {
  return { author: name, authorId: subject };
}

function auditedGuidance(row: GuidanceRow | undefined) {
  return row?.state === 'current' ? guidanceOf(row) : null;
}
