import { shownActions } from '../../plant/command-grant.ts';
import type { OccasionDefinition, TagDefinition } from './alarm-record.ts';
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
