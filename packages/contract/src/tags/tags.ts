import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from '../paging.ts';
import { filterBy, Id, idOf, LongText, largestUint, optionalIdOf, Uint } from '../primitives.ts';

const seconds = Type.Integer({ ...Uint, description: 'Seconds before the first call.' });

const version = Type.String({
  description: 'Digest of the definition. A change that names it is refused once the definition has changed.',
});

/** A tag as `GET /tags` lists it: the definition of an alarm, without its state. */
export const TagItem = Type.Object(
  {
    id: Type.Integer({ ...Id, description: 'Also the identifier of its alarm.' }),
    path: Type.String(),
    fullPath: Type.String({ description: 'Name of the data server, one backslash, path.' }),
    priority: Uint,
    stationId: Id,
    station: Type.String(),
    dataServerId: Id,
    dataServer: Type.String(),
    tagGroupId: Type.Integer({ ...Uint, description: '0 for none.' }),
    tagGroup: Type.String(),
    scenarioId: Type.Integer({
      ...Uint,
      description: 'The first scenario that the tag names itself; 0: that of its tag group applies.',
    }),
    alarmDelay: seconds,
    alarmMessage: Type.String(),
    resetMessage: Type.String(),
    ackMessage: Type.String(),
    hasGuidance: Type.Boolean({ description: 'Its own, or that of a tag group or station above it.' }),
    version,
  },
  { title: 'TagItem' },
);
export type TagItem = Static<typeof TagItem>;
export const TagItemPage = pageOf(TagItem, 'TagItemPage');

const tagFilters = {
  stationId: filterBy('station'),
  dataServerId: filterBy('data-server'),
  tagGroupId: filterBy('tag-group', 'The tag group and its sub-groups; 0 or absent: any.'),
  scenarioId: filterBy('scenario'),
  callGroupId: filterBy('call-group'),
  priority: Type.Optional(Uint),
  guidance: Type.Optional(
    Type.Enum(['missing', 'present'], { description: 'Whether guidance applies to the tag.' }),
  ),
};

export const ListTags = Type.Object({ ...tagFilters, ...PagingQuery }, { title: 'ListTags' });
export type ListTags = Static<typeof ListTags>;

export const csvSeparators = ['comma', 'semicolon'] as const;

export const ExportTags = Type.Object(
  {
    ...tagFilters,
    search: PagingQuery.search,
    separator: Type.Optional(Type.Enum([...csvSeparators], { description: 'By default a comma.' })),
  },
  { title: 'ExportTags' },
);
export type ExportTags = Static<typeof ExportTags>;

/** What a bulk edit can change. Members that are left out stay. */
export const TagChange = Type.Object(
  {
    stationId: Type.Optional(idOf('station')),
    tagGroupId: Type.Optional(idOf('tag-group')),
    priority: Type.Optional(Uint),
    alarmDelay: Type.Optional(seconds),
    scenarioId: Type.Optional(
      optionalIdOf(
        'scenario',
        'Replaces the scenarios that the tags name; 0: that of the tag group applies.',
      ),
    ),
    alarmMessage: Type.Optional(LongText),
    resetMessage: Type.Optional(LongText),
    ackMessage: Type.Optional(LongText),
    temporary: Type.Optional(
      Type.Boolean({
        description:
          '`true` retires the tags: they leave the lists once their alarms have ended, and their histories stay. An alarm that is sent for one is still taken.',
      }),
    ),
  },
  { title: 'TagChange', minProperties: 1 },
);
export type TagChange = Static<typeof TagChange>;

/** The most tags that one request changes. */
export const largestSelection = 1_000;

export const ChangeTags = Type.Object(
  {
    tags: Type.Array(
      Type.Object({
        id: idOf('alarm'),
        version: Type.Optional(Type.String({ maxLength: 64, description: 'As `GET /tags` answered it.' })),
      }),
      { minItems: 1, maxItems: largestSelection },
    ),
    change: TagChange,
  },
  { title: 'ChangeTags' },
);
export type ChangeTags = Static<typeof ChangeTags>;

export const ChangedTags = Type.Object({ changed: Uint, unchanged: Uint }, { title: 'ChangedTags' });
export type ChangedTags = Static<typeof ChangedTags>;

/** The columns of a tag file, in the order of an export. */
export const tagColumns = [
  'dataServer',
  'path',
  'station',
  'tagGroup',
  'priority',
  'delay',
  'scenario',
  'message',
  'resetMessage',
  'ackMessage',
] as const;
export type TagColumn = (typeof tagColumns)[number];

export const ImportTags = Type.Object(
  {
    csv: Type.String({
      minLength: 1,
      description:
        'The text of the file: a header line, then a line for each tag. Separated by commas or semicolons, quoted as in RFC 4180. An empty cell leaves the value as it is.',
    }),
  },
  { title: 'ImportTags' },
);

export const ImportTagsQuery = Type.Object(
  {
    dryRun: Type.Optional(
      Type.Enum(['true', 'false'], { description: '`true` answers what would change, and changes nothing.' }),
    ),
  },
  { title: 'ImportTagsQuery' },
);

/** Why a line is left out. */
export const wrongLineCodes = [
  'no-path',
  'too-many-cells',
  'duplicate',
  'unknown-name',
  'ambiguous-name',
  'not-a-number',
  'too-long',
  'not-allowed',
  'refused',
] as const;
export type WrongLineCode = (typeof wrongLineCodes)[number];

const line = Type.Integer({
  minimum: 1,
  maximum: largestUint,
  description: 'Number of the line in the file.',
});
const Column = Type.Enum([...tagColumns]);

export const TagImportResult = Type.Object(
  {
    dryRun: Type.Boolean(),
    lines: Type.Integer({ minimum: 0, description: 'Lines that were read, without the header.' }),
    added: Type.Array(
      Type.Object({
        line,
        path: Type.String(),
        values: Type.Array(Type.Object({ column: Column, value: Type.String() })),
      }),
    ),
    changed: Type.Array(
      Type.Object({
        line,
        id: Id,
        path: Type.String(),
        changes: Type.Array(Type.Object({ column: Column, before: Type.String(), after: Type.String() })),
      }),
    ),
    unchanged: Uint,
    missing: Type.Integer({ minimum: 0, description: 'Tags that the file does not name. They are kept.' }),
    wrong: Type.Array(
      Type.Object({
        line,
        path: Type.String(),
        code: Type.Enum([...wrongLineCodes]),
        column: Type.Optional(Column),
        value: Type.String({ description: 'The cell, or what else is wrong.' }),
        reason: Type.String(),
      }),
      { description: 'Lines that are left out, all of each.' },
    ),
  },
  { title: 'TagImportResult' },
);
export type TagImportResult = Static<typeof TagImportResult>;
export type WrongLine = TagImportResult['wrong'][number];
