import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';

const Base64Url = Type.String({ pattern: '^[A-Za-z0-9_-]*$', maxLength: 16_384 });
const kind = { type: Type.Literal('public-key'), clientExtensionResults: Type.Object({}) };

/** The answer of an authenticator that proves its passkey, in the JSON form of WebAuthn. */
const Proof = Type.Object({
  id: Base64Url,
  rawId: Base64Url,
  ...kind,
  response: Type.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Type.Optional(Base64Url),
  }),
});

/** The answer of an authenticator that has made a passkey. */
const Creation = Type.Object({
  id: Base64Url,
  rawId: Base64Url,
  ...kind,
  response: Type.Object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
  }),
});

/** Only the known members, because the rest comes from outside; undefined if it is no such answer. */
export function readProof(value: unknown): AuthenticationResponseJSON | undefined {
  const given = jsonOf(value);
  if (!Check(Proof, given)) return undefined;
  const { id, rawId, type } = given;
  return { id, rawId, type, clientExtensionResults: {}, response: proofOf(given.response) };
}

export function readCreation(value: unknown): RegistrationResponseJSON | undefined {
  if (!Check(Creation, value)) return undefined;
  const { id, rawId, type, response } = value;
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return {
    id,
    rawId,
    type,
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject, transports },
  };
}

function proofOf(response: Static<typeof Proof>['response']): AuthenticationResponseJSON['response'] {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const signed = { clientDataJSON, authenticatorData, signature };
  return userHandle === undefined ? signed : { ...signed, userHandle };
}

/** A form has the answer as text. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The user that a passkey names by itself. It is not proved until its signature was checked. */
export type PasskeyOwner = { readonly tenantId: number; readonly userId: number };

/** The user handle: numbers only, because it is stored on the device. */
export function userHandleOf({ tenantId, userId }: PasskeyOwner): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(`${tenantId}/${userId}`));
}

export function ownerOfProof({ response }: AuthenticationResponseJSON): PasskeyOwner | undefined {
  const handle = Buffer.from(response.userHandle ?? '', 'base64url').toString('utf8');
  const [, tenantId, userId] = /^([1-9]\d{0,9})\/([1-9]\d{0,9})$/.exec(handle) ?? [];
  return tenantId === undefined || userId === undefined
    ? undefined
    : { tenantId: Number(tenantId), userId: Number(userId) };
}
