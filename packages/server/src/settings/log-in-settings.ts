import { Type } from 'typebox';

/** The first administrator, and the duration of sessions. */
export const logInSettings = {
  firstAdminUsername: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      mustBe: '1 to 128 characters',
      description: 'Administrator to create in an empty database; by default a set-up code is printed.',
    }),
  ),
  firstAdminPassword: Type.Optional(
    Type.String({
      minLength: 12,
      maxLength: 1_024,
      file: 'only',
      mustBe: 'a password of 12 to 1024 characters',
      description: 'File with the password of that administrator.',
    }),
  ),
  sessionHours: Type.Integer({
    minimum: 1,
    maximum: 8_760,
    default: 720,
    description: 'Hours after which a session ends, however often it is refreshed.',
  }),
};
