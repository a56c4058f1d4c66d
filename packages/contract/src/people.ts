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

/** One medium of a person, tried in the order of the list. */
export const Medium = Type.Object(
  {
    kind: Type.Enum([...mediumKinds]),
    address: Type.String({
      minLength: 1,
      maxLength: 1_024,
      description: 'Number, mail address, URL, device token or subscription as JSON.',
    }),
    enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  { title: 'Medium' },
);
export type Medium = Static<typeof Medium>;

const Media = Type.Array(Medium, { maxItems: 32 });

/** How an address was confirmed. */
export const confirmers = ['Code', 'Administrator'] as const;

/** A medium as it is read. */
export const UserMedium = Type.Object(
  {
    ...Medium.properties,
    confirmed: Type.Optional(
      Type.Object(
        {
          by: Type.Enum([...confirmers], {
            description: '`Code`: a code that was sent to the address was entered.',
          }),
          time: UtcDateTime,
        },
        { description: 'Absent while nobody has confirmed the address: then nobody is called there.' },
      ),
    ),
  },
  { title: 'UserMedium' },
);
export type UserMedium = Static<typeof UserMedium>;

/** The media of one person, in the order in which they are tried. */
export const UserMediaBody = Type.Object({ media: Media }, { title: 'UserMediaBody' });
export type UserMediaBody = Static<typeof UserMediaBody>;
export const UserMedia = Type.Object({ media: Type.Array(UserMedium) }, { title: 'UserMedia' });
export type UserMedia = Static<typeof UserMedia>;

const address = {
  kind: Medium.properties.kind,
  address: Medium.properties.address,
};

export const AddressCodeRequest = Type.Object(address, { title: 'AddressCodeRequest' });
export type AddressCodeRequest = Static<typeof AddressCodeRequest>;

export const AddressCodeSent = Type.Object(
  { validUntil: UtcDateTime },
  { title: 'AddressCodeSent', description: 'The code is on its way to the address, and nowhere else.' },
);
export type AddressCodeSent = Static<typeof AddressCodeSent>;

export const AddressConfirmation = Type.Object(
  {
    ...address,
    code: Type.Optional(
      Type.String({
        pattern: '^[0-9]{6}$',
        writeOnly: true,
        description: 'The six digits that were sent to the address.',
      }),
    ),
    override: Type.Optional(
      Type.Boolean({
        description: 'True: confirm the address without a code. Needs the permission people:write.',
      }),
    ),
  },
  { title: 'AddressConfirmation' },
);
export type AddressConfirmation = Static<typeof AddressConfirmation>;

export const PushKey = Type.Object(
  {
    publicKey: Type.Optional(
      Type.String({
        description: 'VAPID key in base64url of the first enabled channel for web push; absent without one.',
      }),
    ),
  },
  { title: 'PushKey' },
);
export type PushKey = Static<typeof PushKey>;

/** The identity of a user at an outside issuer of tokens. */
export const UserIdentity = Type.Object(
  {
    issuer: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'The `iss` of its tokens, exactly.',
    }),
    subject: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The `sub` of its tokens, exactly.',
    }),
  },
  { title: 'UserIdentity' },
);
export type UserIdentity = Static<typeof UserIdentity>;

const Identities = Type.Array(UserIdentity, {
  maxItems: 16,
  description:
    'Outside identities that log the user in. Absent means none in an answer, and unchanged in a request.',
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
    enabled: Type.Optional(
      Type.Boolean({ description: 'By default true for a new user, and unchanged in a replacement.' }),
    ),
    language: Type.Optional(Type.String({ maxLength: 35 })),
    media: Type.Optional(Media),
    identities: Type.Optional(Identities),
    breakGlass: Type.Optional(
      Type.Boolean({
        description:
          'An account for emergencies: it has a local password and no outside identity, and each log-in raises an alarm of priority 1. Only administrators set it. By default false, and unchanged in a replacement.',
      }),
    ),
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
    media: Type.Array(UserMedium),
    identities: Type.Optional(Identities),
    breakGlass: Type.Optional(Type.Boolean({ description: 'Absent for ordinary users.' })),
    lastChange: UtcDateTime,
  },
  { title: 'User' },
);
export type User = Static<typeof User>;
export const UserPage = pageOf(User, 'UserPage');

export const PinBody = Type.Object(
  {
    pin: Type.String({
      pattern: '^[0-9]{4,8}$',
      writeOnly: true,
      description:
        '4 to 8 digits. Never read back. Those that others would try first, such as 1234, are refused.',
    }),
  },
  { title: 'PinBody' },
);

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
        description: 'Some permissions of the role; by default all of them.',
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({ ...SentDateTime, description: 'ISO 8601 date-time; by default one year from now.' }),
    ),
    neverExpires: Type.Optional(
      Type.Boolean({ description: 'True for a key that never expires. Not together with `expiresAt`.' }),
    ),
    dataServerIds: Type.Optional(
      Type.Array(idOf('data-server'), {
        maxItems: 1_000,
        description: 'Data servers that the key may send alarms for; by default all of them.',
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
    description: 'The key whose tags it may define, the first if keys were replaced repeatedly; 0 for none.',
  }),
  ownerId: Type.Integer({
    ...Uint,
    description: 'The owner, as its creator or by adoption; the key stops working with them. 0 if not known.',
  }),
  owner: Type.String({ description: 'Name of the owner; empty if they are not known or deleted.' }),
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

/** The only answer that contains the key itself. */
export const CreatedApiKey = Type.Object(
  { ...apiKeyMembers, key: Type.String({ description: 'Shown once; only its hash is stored.' }) },
  { title: 'CreatedApiKey' },
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
