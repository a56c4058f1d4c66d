import { hash } from 'node:crypto';
import type { OccurrenceText } from './alarm-record.ts';

/** A text is put in and pointed at by its digest: once worked out is enough. */
const digests = new WeakMap<OccurrenceText, string>();

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
