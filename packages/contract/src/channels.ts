import { type Static, Type } from 'typebox';
import { PagingQuery, pageOf } from './paging.ts';
import { mediumKinds } from './people.ts';
import { Id, Name, Uint, UtcDateTime } from './primitives.ts';

const MediumKind = Type.Enum([...mediumKinds]);

const ChannelSettings = Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
  description: 'Members as `GET /channels/kinds` describes them for the kind.',
});

const Priority = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  description: 'Among the channels of a medium the lowest is tried first.',
});

export const ChannelBody = Type.Object(
  {
    name: Name,
    kind: Type.String({ minLength: 1, maxLength: 64, description: 'A kind of `GET /channels/kinds`.' }),
    medium: Type.Optional(
      Type.Enum([...mediumKinds], {
        description: 'Medium that the channel serves; by default the first of its kind.',
      }),
    ),
    priority: Type.Optional(Priority),
    enabled: Type.Optional(
      Type.Boolean({ description: 'By default true for a new channel, and unchanged in a replacement.' }),
    ),
    settings: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
        description:
          'Members as the kind describes them. A secret that is left out keeps its value, an empty one is forgotten.',
      }),
    ),
  },
  { title: 'ChannelBody' },
);
export type ChannelBody = Static<typeof ChannelBody>;

export const Channel = Type.Object(
  {
    id: Id,
    name: Type.String(),
    kind: Type.String(),
    medium: MediumKind,
    priority: Priority,
    enabled: Type.Boolean(),
    settings: ChannelSettings,
    secretsSet: Type.Array(Type.String(), {
      description: 'Names of the secrets that are set, never their values.',
    }),
    lastChange: UtcDateTime,
  },
  { title: 'Channel' },
);
export type Channel = Static<typeof Channel>;
export const ChannelPage = pageOf(Channel, 'ChannelPage');

export const ListChannels = Type.Object(
  { ...PagingQuery, medium: Type.Optional(MediumKind) },
  { title: 'ListChannels' },
);
export type ListChannels = Static<typeof ListChannels>;

/** A kind of channel with its settings, so that a console can show a form for it. */
export const ChannelKind = Type.Object(
  {
    kind: Type.String(),
    title: Type.String(),
    description: Type.String(),
    media: Type.Array(MediumKind),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of the settings; secrets are `writeOnly`.',
    }),
  },
  { title: 'ChannelKind' },
);
export type ChannelKind = Static<typeof ChannelKind>;
export const ChannelKinds = Type.Array(ChannelKind, { title: 'ChannelKinds' });

export const ChannelTest = Type.Object(
  {
    address: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_024,
        description: 'Address for a test message; by default only the provider is probed.',
      }),
    ),
  },
  { title: 'ChannelTest' },
);
export type ChannelTest = Static<typeof ChannelTest>;

export const ChannelTestResult = Type.Object(
  {
    works: Type.Boolean(),
    outcome: Type.String({
      description: 'Outcome that the channel reported, such as `accepted` or `failed`.',
    }),
    reason: Type.String(),
  },
  { title: 'ChannelTestResult' },
);
export type ChannelTestResult = Static<typeof ChannelTestResult>;

/** What the server knows about a channel from its checks and its messages. */
export const ChannelHealth = Type.Object(
  {
    channelId: Id,
    state: Type.Enum(['works', 'failing', 'down', 'unknown'], {
      description:
        '`failing`: the last check or message failed, and it is still used. `down`: others are used instead. `unknown`: not checked yet, or switched off.',
    }),
    reason: Type.String({ description: 'Of the last failure; empty if it works.' }),
    workedTime: Type.Optional(
      Type.String({ ...UtcDateTime, description: 'The last check or message that succeeded, in UTC.' }),
    ),
    sent: Type.Integer({
      ...Uint,
      description:
        'Calls and messages about alarms that it sent in the last 24 hours, among the newest 10,000 attempts of the tenant.',
    }),
    failed: Type.Integer({ ...Uint, description: 'Those that failed because of the channel.' }),
  },
  { title: 'ChannelHealth' },
);
export type ChannelHealth = Static<typeof ChannelHealth>;
export const ChannelHealthList = Type.Array(ChannelHealth, { title: 'ChannelHealthList' });
