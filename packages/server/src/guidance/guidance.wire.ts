import type { Guidance, GuidanceBody, GuidanceVersion, ObjectGuidance } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import type { GuidanceRow } from './guidance.store.ts';

export const emptyGuidance: Guidance = {
  steps: [],
  cause: '',
  consequence: '',
  contacts: [],
  files: [],
  respondSeconds: 0,
};

export function guidanceOf(body: GuidanceBody | GuidanceRow): Guidance {
  const { steps, cause, consequence, contacts, files, respondSeconds } = { ...emptyGuidance, ...body };
  return { steps, cause, consequence, contacts, files, respondSeconds };
}

export function toGuidanceVersion(row: GuidanceRow, timeZone: string): GuidanceVersion {
  const { version, author, authorId, writtenAt, state } = row;
  return {
    version,
    author,
    authorId,
    time: formatInZone(timeZone, writtenAt),
    ...(state !== 'deletion' && { guidance: guidanceOf(row) }),
  };
}

export function toObjectGuidance(row: GuidanceRow | undefined, timeZone: string): ObjectGuidance {
  return row ? toGuidanceVersion(row, timeZone) : {};
}
