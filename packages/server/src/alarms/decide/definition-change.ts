import { hash } from 'node:crypto';
import { ProblemError } from '../../common/problem.ts';
import { shownActions } from '../../plant/command-grant.ts';
import type { AlarmRecord, OccasionDefinition, TagDefinition } from './alarm-record.ts';
import {
  occasionPrefixes,
  occasionTexts,
  plainMembers,
  plainNames,
  textSuffixes,
} from './definition-members.ts';

/** A member of a tag's definition, before and after a change. */
export type MemberChange = { member: string; before: unknown; after: unknown };

/** Messages are not listed: each journal entry has them anyway, and some sources send another one with each alarm. */
const listedTexts = occasionTexts.filter((text) => text !== 'message');

/** The members that differ, by their names in a post; undefined when only messages do. */
export function definitionChange(
  before: TagDefinition,
  after: TagDefinition,
): readonly MemberChange[] | undefined {
  const plain = plainMembers.flatMap((name) => changeOf(plainNames[name], before[name], after[name]));
  const occasions = occasionPrefixes.flatMap((prefix) =>
    occasionChanges(prefix, before[prefix], after[prefix]),
  );
  const changes = [...plain, ...occasions];
  return changes.length === 0 ? undefined : changes;
}

function occasionChanges(
  prefix: string,
  before: OccasionDefinition,
  after: OccasionDefinition,
): MemberChange[] {
  return [
    ...listedTexts.flatMap((text) => changeOf(`${prefix}${textSuffixes[text]}`, before[text], after[text])),
    ...changeOf(`${prefix}Actions`, shownActions(before.actions), shownActions(after.actions)),
  ];
}

function changeOf(member: string, before: unknown, after: unknown): MemberChange[] {
  const isSame = before === after || JSON.stringify(before) === JSON.stringify(after);
  return isSame ? [] : [{ member, before, after }];
}

/** Identifies a definition: another one has another digest. */
export function definitionDigest(definition: TagDefinition): string {
  const plain = plainMembers.map((member) => definition[member]);
  const occasions = occasionPrefixes.map((prefix) => [
    occasionTexts.map((text) => definition[prefix][text]),
    definition[prefix].actions,
  ]);
  return hash('sha256', JSON.stringify([plain, occasions]), 'base64url').slice(0, 22);
}

/** Refuses to overwrite a definition that the sender has not seen. */
export function requireSeen(known: AlarmRecord | undefined, seenDigest: string | undefined): void {
  if (known === undefined || seenDigest === undefined) return;
  if (definitionDigest(known.definition) === seenDigest) return;
  throw new ProblemError('stale-version', `Tag ${known.definition.path} was changed by someone else`);
}
