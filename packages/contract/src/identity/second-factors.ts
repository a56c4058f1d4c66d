import { type Static, Type } from 'typebox';
import { Id, UtcDateTime } from '../primitives.ts';

/** How a log-in can be completed after the password. */
export const secondFactorMethods = ['totp', 'passkey', 'recovery'] as const;
export const SecondFactorMethod = Type.Enum([...secondFactorMethods]);
export type SecondFactorMethod = Static<typeof SecondFactorMethod>;

/** An object of WebAuthn in its JSON form, as browsers write and read it. */
export const WebAuthnJson = Type.Object(
  {},
  { title: 'WebAuthnJson', additionalProperties: true, description: 'WebAuthn level 3, JSON form.' },
);
export type WebAuthnJson = Static<typeof WebAuthnJson> & Record<string, unknown>;

const PasskeyName = Type.String({ minLength: 1, maxLength: 64, description: 'For example `Phone of Anna`.' });

export const Passkey = Type.Object(
  {
    id: Id,
    name: PasskeyName,
    createTime: UtcDateTime,
    lastUse: Type.Optional(UtcDateTime),
  },
  { title: 'Passkey' },
);
export type Passkey = Static<typeof Passkey>;

/** The second factors of one user. */
export const SecondFactors = Type.Object(
  {
    totp: Type.Optional(
      Type.Object({ since: UtcDateTime }, { description: 'Absent without an authenticator app.' }),
    ),
    passkeys: Type.Array(Passkey),
    recoveryCodesLeft: Type.Integer({ minimum: 0 }),
    required: Type.Boolean({ description: 'Whether the tenant requires a second factor of this role.' }),
  },
  { title: 'SecondFactors' },
);
export type SecondFactors = Static<typeof SecondFactors>;

/** What an authenticator app needs. It is valid after the first code was entered. */
export const TotpSecret = Type.Object(
  {
    secret: Type.String({ description: 'Base32, for typing in.' }),
    uri: Type.String({ description: '`otpauth://totp/…`, for a QR code.' }),
  },
  { title: 'TotpSecret' },
);
export type TotpSecret = Static<typeof TotpSecret>;

export const TotpCode = Type.String({ pattern: '^\\d{6}$', description: 'Six digits.' });
export const TotpConfirmation = Type.Object({ code: TotpCode }, { title: 'TotpConfirmation' });

/** Each code is valid once. They are shown only here. */
export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Empty if the user has codes already: these stay valid.',
    }),
  },
  { title: 'RecoveryCodes' },
);
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const PasskeyBody = Type.Object(
  { name: PasskeyName, response: WebAuthnJson },
  { title: 'PasskeyBody' },
);
/** With recovery codes if it is the first second factor of the user. */
export const PasskeyCreated = Type.Object(
  { ...Passkey.properties, ...RecoveryCodes.properties },
  { title: 'PasskeyCreated' },
);
export const PasskeyParams = Type.Object({ id: Id, passkey: Id });

/** For a log-in: with `mfa_token` the passkeys of its user, without one any passkey of this server. */
export const PasskeyOptionsBody = Type.Object(
  { mfa_token: Type.Optional(Type.String({ maxLength: 256 })) },
  { title: 'PasskeyOptionsBody' },
);

/** One of the three. */
export const SessionConfirmation = Type.Object(
  {
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024 })),
    totp: Type.Optional(TotpCode),
    passkey: Type.Optional(WebAuthnJson),
  },
  { title: 'SessionConfirmation' },
);
export const SessionConfirmed = Type.Object(
  { until: Type.String({ ...UtcDateTime, description: 'Until then nothing is asked for again.' }) },
  { title: 'SessionConfirmed' },
);
