import type { GuidanceOrigin, ObjectGuidance } from '@tocsin/contract';

/** An object that guidance can be written for, with what is written for the object itself. */
export type Level = GuidanceOrigin & { readonly own: ObjectGuidance; readonly etag: string | undefined };

/** The levels of one alarm, from the farthest to the nearest: station, tag groups, tag. */
export type Levels = readonly Level[];

const collections = { tag: 'tags', tagGroup: 'taggroups', station: 'stations' } as const;

export const guidancePath = ({ object, id }: Pick<GuidanceOrigin, 'object' | 'id'>): string =>
  `/${collections[object]}/${id}/guidance`;

export const isSame = (a: Pick<Level, 'object' | 'id'>, b: Pick<Level, 'object' | 'id'>): boolean =>
  a.object === b.object && a.id === b.id;

/** The level whose guidance the alarm has. It counts as a whole. */
export const deciding = (levels: Levels): Level | undefined =>
  levels.findLast(({ own }) => own.guidance !== undefined);

/** The level from which another one has its guidance while nothing is written for it. */
export function inheritedFrom(levels: Levels, level: Level): Level | undefined {
  const at = levels.findIndex((each) => isSame(each, level));
  return deciding(levels.slice(0, Math.max(0, at)));
}
