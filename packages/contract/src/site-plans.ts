import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import { Id, idOf, Name, refersTo, ShortText, Uint, UtcDateTime } from './primitives.ts';

const Share = Type.Number({ minimum: 0, maximum: 1 });
const coordinates = {
  x: Type.Number({ ...Share, description: 'Share of the width, from the left.' }),
  y: Type.Number({ ...Share, description: 'Share of the height, from the top.' }),
};
const label = Type.Optional(ShortText);

/** The place of one thing on a plan. Names exactly one of a tag, a tag group and a beacon. */
export const PlanPosition = Type.Object(
  {
    ...coordinates,
    label,
    tagId: Type.Optional(idOf('alarm')),
    tagGroupId: Type.Optional(idOf('tag-group')),
    beaconId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'The name that devices give to the beacon in the location of an alarm.',
      }),
    ),
  },
  { title: 'PlanPosition' },
);
export type PlanPosition = Static<typeof PlanPosition>;

const Positions = Type.Array(PlanPosition, { maxItems: 2_000 });

export const SitePlanBody = Type.Object(
  {
    name: Name,
    image: Type.String({
      minLength: 1,
      maxLength: 128,
      ...refersTo('media-file'),
      description: 'The name of a PNG or JPEG file in the media library.',
    }),
    positions: Type.Optional(Positions),
  },
  { title: 'SitePlanBody' },
);
export type SitePlanBody = Static<typeof SitePlanBody>;

export const SitePlan = Type.Object(
  {
    id: Id,
    stationId: Id,
    name: Type.String(),
    image: Type.String(),
    imageId: Type.Integer({ ...Id, description: 'Its content is at `/mediafiles/{imageId}/content`.' }),
    width: Type.Integer({ ...Uint, description: 'Pixels of the image when the plan was written.' }),
    height: Uint,
    positions: Positions,
    lastChange: UtcDateTime,
  },
  { title: 'SitePlan' },
);
export type SitePlan = Static<typeof SitePlan>;
export const SitePlanPage = pageOf(SitePlan, 'SitePlanPage');
export const ListSitePlans = Type.Object({ ...PagingQuery }, { title: 'ListSitePlans' });
export type ListSitePlans = Static<typeof ListSitePlans>;

/** The rules that find the place of an alarm, in this order. */
export const placeRules = ['tag', 'beacon', 'tagGroup'] as const;

export const AlarmPlace = Type.Object(
  {
    planId: Type.Optional(Id),
    plan: Type.Optional(Type.String({ description: 'The name of the plan.' })),
    imageId: Type.Optional(Id),
    width: Type.Optional(Uint),
    height: Type.Optional(Uint),
    x: Type.Optional(coordinates.x),
    y: Type.Optional(coordinates.y),
    label,
    rule: Type.Optional(
      Type.Enum([...placeRules], {
        description:
          'By the position of its tag, of the beacon that its location names with the best accuracy, or of the nearest tag group upwards.',
      }),
    ),
  },
  { title: 'AlarmPlace', description: 'Empty if no plan of its station shows the alarm.' },
);
export type AlarmPlace = Static<typeof AlarmPlace>;
