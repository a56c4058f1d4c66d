import { Type } from 'typebox';

/** Who is the first to log in, and how long a log-in lasts. */
export const logInSettings = {
  firstAdminUsername: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      mustBe: '1 to 128 characters',
      description: 'Administrator to make in an empty database; without it a set-up code is printed.',
    }),
  ),
  firstAdminPassword: Type.Optional(
    Type.String({
      minLength: 12,
      maxLength: 1_024,
      file: 'only',
      mustBe: 'a password of 12 to 1024 characters',
      description: 'File that holds the password of that administrator.',
    }),
  ),
  sessionHours: Type.Integer({
    minimum: 1,
    maximum: 8_760,
    default: 720,
    description: 'Hours after a log-in when its session ends, however often it is refreshed.',
  }),
};
