import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import { Id, OffsetDateTime, refersTo, Uint } from './primitives.ts';

const GuidanceText = Type.String({ maxLength: 2_000 });
const Steps = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
  maxItems: 20,
  description: 'What to do, in this order.',
});
const Contacts = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 20 });
const Files = Type.Array(Type.String({ minLength: 1, maxLength: 128, ...refersTo('media-file') }), {
  maxItems: 20,
  description: 'Names of files in the media library.',
});
const RespondSeconds = Type.Integer({
  minimum: 0,
  maximum: 604_800,
  description: 'Time to respond after the raise, in seconds; 0 for none.',
});

/** What to do when an alarm comes. Members that are left out are empty. */
export const GuidanceBody = Type.Object(
  {
    steps: Type.Optional(Steps),
    cause: Type.Optional(Type.String({ ...GuidanceText, description: 'The likely cause.' })),
    consequence: Type.Optional(Type.String({ ...GuidanceText, description: 'If nobody responds.' })),
    contacts: Type.Optional(Contacts),
    files: Type.Optional(Files),
    respondSeconds: Type.Optional(RespondSeconds),
  },
  { title: 'GuidanceBody' },
);
export type GuidanceBody = Static<typeof GuidanceBody>;

export const Guidance = Type.Object(
  {
    steps: Type.Array(Type.String()),
    cause: Type.String(),
    consequence: Type.String(),
    contacts: Type.Array(Type.String()),
    files: Type.Array(Type.String()),
    respondSeconds: Uint,
  },
  { title: 'Guidance' },
);
export type Guidance = Static<typeof Guidance>;

const author = Type.String({ description: 'The name of the author at that time.' });
const authorId = Type.String({
  description: '`user:12` or `key:5`. Names can be imitated, this cannot.',
});

/** The guidance that was written for an object itself. */
export const ObjectGuidance = Type.Object(
  {
    guidance: Type.Optional(
      Type.Object(Guidance.properties, { description: 'Absent if there is none, or it was deleted.' }),
    ),
    version: Type.Optional(Id),
    author: Type.Optional(author),
    authorId: Type.Optional(authorId),
    time: Type.Optional(OffsetDateTime),
  },
  { title: 'ObjectGuidance', description: 'Empty if none was ever written for the object itself.' },
);
export type ObjectGuidance = Static<typeof ObjectGuidance>;

export const GuidanceVersion = Type.Object(
  {
    version: Id,
    author,
    authorId,
    time: OffsetDateTime,
    guidance: Type.Optional(
      Type.Object(Guidance.properties, { description: 'Absent if this version deleted it.' }),
    ),
  },
  { title: 'GuidanceVersion' },
);
export type GuidanceVersion = Static<typeof GuidanceVersion>;
export const GuidanceVersionPage = pageOf(GuidanceVersion, 'GuidanceVersionPage');
export const ListGuidanceVersions = Type.Object(
  { offset: PagingQuery.offset, limit: PagingQuery.limit },
  { title: 'ListGuidanceVersions' },
);

/** The objects that guidance is written for, from the nearest to the farthest of an alarm. */
export const guidanceObjects = ['tag', 'tagGroup', 'station'] as const;
export type GuidanceObject = (typeof guidanceObjects)[number];

export const GuidanceOrigin = Type.Object(
  { object: Type.Enum([...guidanceObjects]), id: Id, name: Type.String() },
  { title: 'GuidanceOrigin' },
);
export type GuidanceOrigin = Static<typeof GuidanceOrigin>;

/** The guidance of an alarm: that of its tag, else of the nearest tag group upwards, else of its station. */
export const AlarmGuidance = Type.Object(
  {
    guidance: Type.Optional(Guidance),
    from: Type.Optional(GuidanceOrigin),
    version: Type.Optional(Id),
    author: Type.Optional(author),
    authorId: Type.Optional(authorId),
    time: Type.Optional(OffsetDateTime),
  },
  { title: 'AlarmGuidance', description: 'Empty if there is no guidance for the alarm.' },
);
export type AlarmGuidance = Static<typeof AlarmGuidance>;

/** A tag and its last reported value. */
export const Tag = Type.Object(
  {
    id: Type.Integer({ ...Id, description: 'Also the identifier of its alarm.' }),
    path: Type.String(),
    fullPath: Type.String({ description: 'Name of the data server, one backslash, path.' }),
    name: Type.String(),
    localizedName: Type.String(),
    priority: Uint,
    stationId: Id,
    station: Type.String(),
    dataServerId: Id,
    tagGroupId: Type.Integer({ ...Uint, description: '0 for none.' }),
    tagGroup: Type.String(),
    value: Type.String({ description: 'The last one that was reported; empty if none was.' }),
    reportTime: Type.Optional(
      Type.String({
        ...OffsetDateTime,
        description:
          'Time of the last report that changed anything. A report that changes neither the alarm nor the value is not stored.',
      }),
    ),
    guidanceFrom: Type.Optional(GuidanceOrigin),
    respondSeconds: Type.Optional(Uint),
  },
  { title: 'Tag' },
);
export type Tag = Static<typeof Tag>;
