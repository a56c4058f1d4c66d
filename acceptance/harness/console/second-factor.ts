import { createHmac } from 'node:crypto';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { granted } from '../http/granted.ts';
import type { Plant } from '../plant.ts';
import type { Person } from './people.ts';

const stepSeconds = 30;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** RFC 6238, apart from the code of the server. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** An authenticator app. Each code is taken once, so it waits for the next one if it has to. */
export function createApp(secret: string) {
  let used = 0;
  return {
    next: async (): Promise<string> => {
      const now = () => Math.floor(Date.now() / 1_000 / stepSeconds);
      // The server takes the code of the next step too.
      while (now() + 1 <= used) await new Promise((resolve) => setTimeout(resolve, 500));
      used = Math.max(now() - 1, used + 1);
      return codeAt(secret, used);
    },
    /** Six digits that are none of the codes around now. */
    wrong: (): string => {
      const now = Math.floor(Date.now() / 1_000 / stepSeconds);
      const near = [-2, -1, 0, 1, 2].map((by) => codeAt(secret, now + by));
      return (
        ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ??
        '666666'
      );
    },
  };
}
export type App = ReturnType<typeof createApp>;

/** The secret that the page shows for typing. */
export const shownSecret = async (place: Page | Locator): Promise<string> =>
  (await place.locator('.typed code').innerText()).replaceAll(/\s/g, '');

/** Sets up an authenticator app through the interface. */
export async function giveApp(plant: Plant, person: Person): Promise<{ app: App; recoveryCodes: string[] }> {
  const client = plant.someone();
  await client.logIn(person.username, person.password);
  const path = `/api/v1/users/${person.id}/totp`;
  const { secret } = granted<{ secret: string }>(await client.post(path, {}));
  const app = createApp(secret);
  const answer = await client.post(`${path}/confirmation`, { code: await app.next() });
  const { recoveryCodes } = granted<{ recoveryCodes: string[] }>(answer);
  client.close();
  return { app, recoveryCodes };
}

/** A security key in the browser. `isVerified` false is a person whose finger it does not know. */
export async function plugInKey(context: BrowserContext, page: Page) {
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return {
    verify: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}
