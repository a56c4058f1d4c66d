import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import { Id, Name, OffsetDateTime, SentDateTime, ShortText, Uint, UtcDateTime } from './primitives.ts';

export const roles = ['viewer', 'operator', 'engineer', 'admin', 'machine', 'auditor'] as const;
export const Role = Type.Enum([...roles]);
export type Role = Static<typeof Role>;

const StationScope = Type.Array(Id, {
  maxItems: 1_000,
  description: 'Stations this may see and act on; an empty list means all of them.',
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

export const UserBody = Type.Object(
  {
    username: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Unique in the installation, whatever the case.',
    }),
    name: Type.Optional(Name),
    role: Type.Optional(Role),
    stationIds: Type.Optional(StationScope),
    enabled: Type.Optional(Type.Boolean({ default: true })),
    language: Type.Optional(Type.String({ maxLength: 35 })),
    media: Type.Optional(Media),
    password: Type.Optional(
      Type.String({
        minLength: 12,
        maxLength: 1_024,
        description: 'Never read back. Absent: no log-in by password.',
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
    expiresAt: Type.Optional(SentDateTime),
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
