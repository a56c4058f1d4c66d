import { type Static, Type } from 'typebox';
import { Id, UtcDateTime } from '../primitives.ts';
import { SecondFactorMethod } from './second-factors.ts';

export const LoginForm = Type.Object(
  {
    grant_type: Type.String(),
    username: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    refresh_token: Type.Optional(Type.String()),
    mfa_token: Type.Optional(Type.String({ description: 'For the grant `second_factor`.' })),
    totp: Type.Optional(Type.String({ description: 'Six digits of the authenticator app.' })),
    recovery_code: Type.Optional(Type.String()),
    passkey: Type.Optional(
      Type.String({
        description: 'The answer of the authenticator in JSON, for `second_factor` or `passkey`.',
      }),
    ),
    cookie: Type.Optional(
      Type.String({
        description:
          '`1`, for pages of this server: the refresh token is kept in a cookie that scripts cannot read, and is in neither the form nor the answer.',
      }),
    ),
  },
  { title: 'LoginForm' },
);

export const LoginAnswer = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    refresh_token: Type.Optional(Type.String({ description: 'Absent with `cookie=1` only.' })),
    id: Type.String({ description: 'The user id, as a string.' }),
    name: Type.String(),
  },
  { title: 'LoginAnswer' },
);
export type LoginAnswer = Static<typeof LoginAnswer>;

/** RFC 6749 §5.2: the answer to a refused log-in, with status 400. */
export const LoginRefused = Type.Object(
  {
    error: Type.String(),
    error_description: Type.Optional(Type.String()),
    mfa_token: Type.Optional(
      Type.String({
        description: 'With `mfa_required`: for the grant `second_factor`, valid for 5 minutes.',
      }),
    ),
    methods: Type.Optional(Type.Array(SecondFactorMethod)),
  },
  { title: 'LoginRefused' },
);
export type LoginRefused = Static<typeof LoginRefused>;

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

export const SetUpState = Type.Object(
  { needed: Type.Boolean({ description: 'Whether the installation has no administrator yet.' }) },
  { title: 'SetUpState' },
);

export const SessionParams = Type.Object({ id: Id, session: Type.String({ pattern: '^[0-9a-f-]{36}$' }) });
export type SessionParams = Static<typeof SessionParams>;

/** A log-in that has not ended. */
export const UserSession = Type.Object(
  {
    id: Type.String(),
    openTime: UtcDateTime,
    lastUse: Type.String({ ...UtcDateTime, description: 'When its token was last renewed, or the log-in.' }),
    endTime: Type.String({
      ...UtcDateTime,
      description: 'When it ends by itself, unless it is used before.',
    }),
    device: Type.String({ description: 'The program of the log-in, as it named itself; may be empty.' }),
    address: Type.String({ description: 'The network address of the log-in; may be empty.' }),
    isCurrent: Type.Boolean({ description: 'Whether this request was sent with it.' }),
  },
  { title: 'UserSession' },
);
export type UserSession = Static<typeof UserSession>;

export const UserSessions = Type.Object({ items: Type.Array(UserSession) }, { title: 'UserSessions' });
export type UserSessions = Static<typeof UserSessions>;

export const OwnPassword = Type.Object(
  {
    currentPassword: Type.String({ minLength: 1, maxLength: 1_024 }),
    password: Type.String({ minLength: 12, maxLength: 1_024 }),
  },
  { title: 'OwnPassword' },
);
