import type { TagChange, TagItem } from '@tocsin/contract';

/** What somebody has typed for a change of many tags; an empty text leaves the value as it is. */
export type ChangeDraft = {
  readonly priority: string;
  readonly alarmDelay: string;
  readonly tagGroupId: string;
  readonly scenarioId: string;
};

export const noChange: ChangeDraft = { priority: '', alarmDelay: '', tagGroupId: '', scenarioId: '' };

export type ChangedMember = keyof ChangeDraft;
const members = Object.keys(noChange) as ChangedMember[];

/** The change to send: the members that were typed. */
export function changeOf(draft: ChangeDraft): TagChange {
  const given = members.filter((member) => draft[member].trim() !== '');
  return Object.fromEntries(given.map((member) => [member, Number(draft[member])]));
}

/** A line of the review: how many tags have this value today, and what they get. */
export type ReviewLine = {
  readonly member: ChangedMember;
  readonly before: number;
  readonly after: number;
  readonly count: number;
};

/** What the change does to the tags, by member and present value. Tags that have the value already are left out. */
export function reviewOf(tags: readonly TagItem[], draft: ChangeDraft): readonly ReviewLine[] {
  const change = changeOf(draft);
  return members.flatMap((member) => {
    const after = change[member];
    if (after === undefined) return [];
    const counts = new Map<number, number>();
    for (const tag of tags)
      if (tag[member] !== after) counts.set(tag[member], (counts.get(tag[member]) ?? 0) + 1);
    return [...counts].map(([before, count]) => ({ member, before, after, count }));
  });
}

/** How many tags the change alters. */
export function changedCount(tags: readonly TagItem[], draft: ChangeDraft): number {
  const change = changeOf(draft);
  return tags.filter((tag) =>
    members.some((member) => change[member] !== undefined && change[member] !== tag[member]),
  ).length;
}
