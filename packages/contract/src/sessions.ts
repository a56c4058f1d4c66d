import { type Static, Type } from 'typebox';

export const LoginForm = Type.Object(
  {
    grant_type: Type.String(),
    username: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    refresh_token: Type.Optional(Type.String()),
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

export const SetUpState = Type.Object(
  { needed: Type.Boolean({ description: 'Whether the installation has no administrator yet.' }) },
  { title: 'SetUpState' },
);
