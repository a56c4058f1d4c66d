import { hash } from 'node:crypto';
import type { OccurrenceText } from './alarm-record.ts';

/** A text is put in and pointed at by its digest: once worked out is enough. */
const digests = new WeakMap<OccurrenceText, string>();

/** As equal digests say, without working them out. */
export function sameText(one: OccurrenceText, other: OccurrenceText): boolean {
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

/** What makes two texts of a tag the same. */
export function digestOf(text: OccurrenceText): string {
  const known = digests.get(text);
  if (known !== undefined) return known;
  const { message, comment, stationId, dataServerId, tagGroupId, callGroupIds } = text;
  const facts = [message, comment, stationId, dataServerId, tagGroupId, callGroupIds];
  const digest = hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 22);
  digests.set(text, digest);
  return digest;
}
