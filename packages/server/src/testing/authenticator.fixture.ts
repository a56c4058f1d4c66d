import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type Options = { challenge: string; user?: { id: string } };
type Faults = { origin?: string; rpId?: string; isUserVerified?: boolean; counter?: number };

const present = 0x01;
const verified = 0x04;
const withKey = 0x40;

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

/** A security key made of software: it makes and proves passkeys as a browser would hand them on. */
export function createAuthenticator(usual = { origin: 'http://localhost', rpId: 'localhost' }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(16);
  const id = base64url(credentialId);
  const known = { userHandle: '', counter: 0 };

  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const authenticatorData = (flags: number, { rpId = usual.rpId, counter = ++known.counter }: Faults) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), head]);
  };

  const coseKey = () => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]);
    return isoCBOR.encode(key);
  };

  return {
    /** The answer to the options of `POST /users/{id}/passkeys/options`. */
    create({ challenge, user }: Options, faults: Faults = {}): object {
      known.userHandle = user?.id ?? '';
      const { origin = usual.origin, isUserVerified = true } = faults;
      const flags = present | withKey | (isUserVerified ? verified : 0);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = [Buffer.alloc(16), length, credentialId, coseKey()];
      const authData = Uint8Array.from(Buffer.concat([authenticatorData(flags, faults), ...attested]));
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      const attestationObject = base64url(isoCBOR.encode(attestation as never));
      const clientDataJSON = base64url(clientData('webauthn.create', challenge, origin));
      return answer(id, { clientDataJSON, attestationObject, transports: ['internal'] });
    },
    /** The answer to the options of `POST /auth/passkey-options`. */
    prove({ challenge }: Options, faults: Faults = {}): object {
      const { origin = usual.origin, isUserVerified = true } = faults;
      const data = clientData('webauthn.get', challenge, origin);
      const authData = authenticatorData(present | (isUserVerified ? verified : 0), faults);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      return answer(id, {
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        userHandle: known.userHandle,
      });
    },
  };
}

function answer(id: string, response: object): object {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
}
