import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import {
  Id,
  idOf,
  Name,
  OffsetDateTime,
  optionalIdOf,
  SentDateTime,
  ShortText,
  Uint,
  UtcDateTime,
} from './primitives.ts';

export const roles = ['viewer', 'operator', 'engineer', 'admin', 'machine', 'auditor'] as const;
export const Role = Type.Enum([...roles]);
export type Role = Static<typeof Role>;

const StationScope = Type.Array(optionalIdOf('station'), {
  maxItems: 1_000,
  description:
    'Stations this may see and act on; `[0]` means all of them. For something new, absent or empty means all; in a change, absent keeps, and an empty list never widens.',
});

export const mediumKinds = ['Voice', 'Sms', 'Email', 'Push', 'Webhook', 'Pager'] as const;

/** One way to reach a person, tried in the order of the list. */
export const Medium = Type.Object(
  {
    kind: Type.Enum([...mediumKinds]),
    address: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'Number, mail address, URL or device token.',
    }),
    enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  { title: 'Medium' },
);
export type Medium = Static<typeof Medium>;

const Media = Type.Array(Medium, { maxItems: 32 });

/** Who a user is to an outside issuer of tokens. */
export const UserIdentity = Type.Object(
  {
    issuer: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'The `iss` of its tokens, to the letter.',
    }),
    subject: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The `sub` of its tokens, to the letter.',
    }),
  },
  { title: 'UserIdentity' },
);
export type UserIdentity = Static<typeof UserIdentity>;

const Identities = Type.Array(UserIdentity, {
  maxItems: 16,
  description: 'Whose tokens log the user in. Absent: none when read, and those there are when sent.',
});

export const UserBody = Type.Object(
  {
    username: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Unique in the tenant, whatever the case.',
    }),
    name: Type.Optional(Name),
    role: Type.Optional(Role),
    stationIds: Type.Optional(StationScope),
    enabled: Type.Optional(Type.Boolean({ description: 'true for a new user; in a change, absent keeps.' })),
    language: Type.Optional(Type.String({ maxLength: 35 })),
    media: Type.Optional(Media),
    identities: Type.Optional(Identities),
    password: Type.Optional(
      Type.String({
        minLength: 12,
        maxLength: 1_024,
        writeOnly: true,
        description: 'Never read back. Common ones are refused. Absent: no log-in by password.',
      }),
    ),
  },
  { title: 'UserBody' },
);
export type UserBody = Static<typeof UserBody>;

export const User = Type.Object(
  {
    id: Id,
    username: Type.String(),
    name: Type.String(),
    role: Role,
    stationIds: Type.Array(Id),
    enabled: Type.Boolean(),
    language: Type.String(),
    media: Media,
    identities: Type.Optional(Identities),
    lastChange: UtcDateTime,
  },
  { title: 'User' },
);
export type User = Static<typeof User>;
export const UserPage = pageOf(User, 'UserPage');

export const ListUsers = Type.Object({ ...PagingQuery, role: Type.Optional(Role) }, { title: 'ListUsers' });
export type ListUsers = Static<typeof ListUsers>;

export const ApiKeyBody = Type.Object(
  {
    name: Name,
    role: Type.Optional(Role),
    stationIds: Type.Optional(StationScope),
    scopes: Type.Optional(
      Type.Array(ShortText, {
        maxItems: 32,
        description: 'Permissions out of those of the role; absent: all of them.',
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({ ...SentDateTime, description: 'ISO 8601 date-time. Absent: one year from now.' }),
    ),
    neverExpires: Type.Optional(
      Type.Boolean({ description: 'True for a key without an end. Not together with `expiresAt`.' }),
    ),
    dataServerIds: Type.Optional(
      Type.Array(idOf('data-server'), {
        maxItems: 1_000,
        description: 'Data servers that the key may send alarms for; absent or empty: all of them.',
      }),
    ),
    pathPrefixes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1_024 }), {
        maxItems: 64,
        description:
          'Beginnings of the tag paths that the key may send alarms for; absent or empty: all paths.',
      }),
    ),
    replacesId: Type.Optional(
      optionalIdOf(
        'api-key',
        'A key that this one replaces: it may define the tags that the other has created. 0 or absent: none.',
      ),
    ),
  },
  { title: 'ApiKeyBody' },
);
export type ApiKeyBody = Static<typeof ApiKeyBody>;

const apiKeyMembers = {
  id: Id,
  name: Type.String(),
  role: Role,
  stationIds: Type.Array(Id),
  scopes: Type.Array(Type.String()),
  dataServerIds: Type.Array(Id),
  pathPrefixes: Type.Array(Type.String()),
  replacesId: Type.Integer({
    ...Uint,
    description: 'The key whose tags it may define, the first when keys were replaced repeatedly; 0: none.',
  }),
  ownerId: Type.Integer({
    ...Uint,
    description: 'The user with whom the key stops, as its maker or by adoption; 0: not known.',
  }),
  owner: Type.String({ description: 'Name of the owner; empty when they are not known or deleted.' }),
  createdAt: OffsetDateTime,
  expiresAt: Type.Optional(OffsetDateTime),
  lastUsedAt: Type.Optional(OffsetDateTime),
  revokedAt: Type.Optional(OffsetDateTime),
};
export const ApiKey = Type.Object(apiKeyMembers, { title: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;
export const ApiKeyPage = pageOf(ApiKey, 'ApiKeyPage');
export const ListApiKeys = Type.Object({ ...PagingQuery }, { title: 'ListApiKeys' });
export type ListApiKeys = Static<typeof ListApiKeys>;

/** The only answer that ever carries the key itself. */
export const CreatedApiKey = Type.Object(
  { ...apiKeyMembers, key: Type.String({ description: 'Shown once; only its hash is kept.' }) },
  { title: 'CreatedApiKey' },
);

export const LoginForm = Type.Object(
  {
    grant_type: Type.String(),
    username: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    refresh_token: Type.Optional(Type.String()),
  },
  { title: 'LoginForm' },
);

export const LoginAnswer = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    refresh_token: Type.String(),
    id: Type.String({ description: 'The user id, as a string.' }),
    name: Type.String(),
  },
  { title: 'LoginAnswer' },
);
export type LoginAnswer = Static<typeof LoginAnswer>;

/** RFC 6749 §5.2: what a refused log-in answers, with status 400. */
export const LoginRefused = Type.Object(
  { error: Type.String(), error_description: Type.Optional(Type.String()) },
  { title: 'LoginRefused' },
);

export const SetUp = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The one-time code printed when the server started.',
    }),
    username: Type.String({ minLength: 1, maxLength: 128 }),
    password: Type.String({ minLength: 12, maxLength: 1_024 }),
  },
  { title: 'SetUp' },
);

export const Meta = Type.Object(
  {
    version: Type.String(),
    time: OffsetDateTime,
    tenant: Type.Object({ id: Id, name: Type.String() }),
    user: Type.Object({
      id: Uint,
      name: Type.String(),
      role: Role,
      stationIds: Type.Array(Id),
      permissions: Type.Array(Type.String()),
    }),
    priorities: Type.Array(Type.Object({ code: Uint, label: Type.String(), order: Uint }), {
      description: 'Most urgent first.',
    }),
    states: Type.Array(Type.Object({ bit: Uint, value: Uint, label: Type.String() })),
    actionTypes: Type.Array(Type.String()),
    beaconTypes: Type.Array(Type.String()),
    callStatuses: Type.Array(Type.String()),
    limits: Type.Object({ defaultLimit: Uint, largestLimit: Uint, bodyBytes: Uint, maskSeconds: Uint }),
  },
  { title: 'Meta' },
);
export type Meta = Static<typeof Meta>;
