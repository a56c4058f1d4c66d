import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from './config.ts';
import { countSealed, sealClearKeys } from './identity/installation-secrets.ts';
import { CannotStart, type OpenDatabase } from './open-runtime.ts';
import type { Runtime } from './runtime.ts';
import { createSecretBox, readKeys, type SecretBox } from './secret-box.ts';

const lost =
  'The secrets in the database are sealed with a key that this server does not have. Give it the SECRETS_KEY_FILE of the ' +
  'servers before it. Only if that key is lost: `rotate-keys --now` makes new secrets';

/**
 * The runtime with what opens its secrets: the keys of `SECRETS_KEY_FILE`, or else one that the server makes for itself
 * and keeps in its state folder. Seals what an older release has left in clear.
 */
export async function openSecretBox(config: Config, open: OpenDatabase): Promise<Runtime> {
  const box = findBox(config) ?? (await makeBox(config, open));
  const { unopened } = await countSealed(open, box);
  if (unopened > 0) throw new CannotStart([lost]);
  const runtime = { ...open, box };
  await sealClearKeys(runtime);
  return runtime;
}

/** As `openSecretBox`, also when the secrets are sealed with a key that is lost. */
export function openBoxAnyway(config: Config, open: OpenDatabase): Runtime {
  return { ...open, box: findBox(config) ?? makeOwnKey(config, open) };
}

async function makeBox(config: Config, open: OpenDatabase): Promise<SecretBox> {
  // Another key would open nothing of what is there, and hide that the right one is missing.
  if ((await countSealed(open, undefined)).sealed > 0) throw new CannotStart([lost]);
  return makeOwnKey(config, open);
}

function findBox({ secretsKey, stateFolder }: Config): SecretBox | undefined {
  if (secretsKey !== undefined) return createSecretBox(readKeys(secretsKey));
  const file = ownKeyFile(stateFolder);
  return existsSync(file) ? createSecretBox(readKeys(readFileSync(file, 'utf8').trim())) : undefined;
}

function makeOwnKey(config: Config, { log }: OpenDatabase): SecretBox {
  const { stateFolder } = config;
  const file = ownKeyFile(stateFolder);
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    writeWhole(file, `${randomBytes(32).toString('base64')}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CannotStart([
      `There is no SECRETS_KEY_FILE, and no key can be kept in STATE_FOLDER: ${reason}`,
    ]);
  }
  log.warn({ file: resolve(file) }, 'secrets key made: keep a copy of it, apart from those of the database');
  const box = findBox(config);
  if (box === undefined) throw new CannotStart([`${file} is gone`]);
  return box;
}

/** Nobody ever reads half of it, and of two servers that start together one writes it and both read that. */
function writeWhole(file: string, text: string): void {
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

function ownKeyFile(stateFolder: string): string {
  return join(stateFolder, 'secrets-key');
}
