import { hash } from 'node:crypto';
import type { OccurrenceText } from './alarm-record.ts';

/** A text needs its digest twice: where it is stored and where its occurrence refers to it. */
const digests = new WeakMap<OccurrenceText, string>();

/** Whether the digests are equal, without computing them. */
export function isSameText(one: OccurrenceText, other: OccurrenceText): boolean {
  return (
    one.message === other.message &&
    one.comment === other.comment &&
    one.stationId === other.stationId &&
    one.dataServerId === other.dataServerId &&
    one.tagGroupId === other.tagGroupId &&
    one.callGroupIds.length === other.callGroupIds.length &&
    one.callGroupIds.every((id, index) => id === other.callGroupIds[index])
  );
}

/** Identifies a text among those of its tag. */
export function digestOf(text: OccurrenceText): string {
  const cached = digests.get(text);
  if (cached !== undefined) return cached;
  const { message, comment, stationId, dataServerId, tagGroupId, callGroupIds } = text;
  const facts = [message, comment, stationId, dataServerId, tagGroupId, callGroupIds];
  const digest = hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 22);
  digests.set(text, digest);
  return digest;
}
