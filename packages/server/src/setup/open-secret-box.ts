import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Fault } from '../common/fault.ts';
import { createSecretBox, readKeys, type SecretBox } from '../common/secret-box.ts';
import { countSealed, sealPlaintextKeys } from '../identity/tokens/installation-secrets.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { Config } from '../settings/config.ts';
import { CannotStart } from './cannot-start.ts';
import { type OpenDatabase } from './open-runtime.ts';

/** The reason why a server without the right key does not start. */
export const lostKey: Fault = {
  name: 'secrets.key',
  problem: 'The secrets in the database are sealed with a key that this server does not have',
  remedy:
    'Give it the SECRETS_KEY_FILE of the servers before it. Only if that key is lost: `rotate-keys --now` makes new secrets',
};

/**
 * Adds to the runtime the keys of its secrets: those of `SECRETS_KEY_FILE`, or else a key that the server creates and
 * stores in its state folder. Encrypts secrets that an older release stored in clear.
 */
export async function openSecretBox(config: Config, open: OpenDatabase): Promise<Runtime> {
  let box = findBox(config);
  // A new key would not open the existing secrets, and would hide that the right key is missing.
  await requireKey(open, box);
  if (box === undefined) {
    box = createOwnKey(config, open);
    await requireKey(open, box);
  }
  const runtime = { ...open, box };
  await sealPlaintextKeys(runtime);
  return runtime;
}

/** As `openSecretBox`, even if the secrets are sealed with a lost key. */
export function openBoxAnyway(config: Config, open: OpenDatabase): Runtime {
  return { ...open, box: findBox(config) ?? createOwnKey(config, open) };
}

async function requireKey(open: OpenDatabase, box: SecretBox | undefined): Promise<void> {
  const { unopened } = await countSealed(open, box);
  if (unopened > 0) throw new CannotStart([`${lostKey.problem}. ${lostKey.remedy}`]);
}

/** The keys that this server has; undefined before its first start without `SECRETS_KEY_FILE`. */
export function findBox({ secretsKey, stateFolder }: Config): SecretBox | undefined {
  if (secretsKey !== undefined) return createSecretBox(readKeys(secretsKey));
  const file = ownKeyFile(stateFolder);
  return existsSync(file) ? createSecretBox(readKeys(readFileSync(file, 'utf8').trim())) : undefined;
}

function createOwnKey(config: Config, { log }: OpenDatabase): SecretBox {
  const { stateFolder } = config;
  const file = ownKeyFile(stateFolder);
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    writeAtomically(file, `${randomBytes(32).toString('base64')}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CannotStart([
      `There is no SECRETS_KEY_FILE, and no key can be kept in STATE_FOLDER: ${reason}`,
    ]);
  }
  log.warn(
    { file: resolve(file) },
    'secrets key created: keep a copy of it, apart from the backups of the database',
  );
  const box = findBox(config);
  if (box === undefined) throw new CannotStart([`${file} is gone`]);
  return box;
}

/** Creates the file atomically: no reader sees half of it, and of two servers that start together one creates it. */
function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft);
  }
}

/** The key that a server without `SECRETS_KEY_FILE` creates. */
export function ownKeyFile(stateFolder: string): string {
  return join(stateFolder, 'secrets-key');
}
