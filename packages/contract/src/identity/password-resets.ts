import { type Static, Type } from 'typebox';
import { UtcDateTime } from '../primitives.ts';

/** A code with which a user sets a new password, handed over in person or by telephone. */
export const PasswordResetCode = Type.Object(
  { code: Type.String(), expiryTime: UtcDateTime },
  { title: 'PasswordResetCode' },
);
export type PasswordResetCode = Static<typeof PasswordResetCode>;

export const PasswordReset = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 256 }),
    code: Type.String({ minLength: 1, maxLength: 64 }),
    password: Type.String({ minLength: 12, maxLength: 1_024 }),
  },
  { title: 'PasswordReset' },
);
