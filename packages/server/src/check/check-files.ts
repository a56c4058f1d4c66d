import { constants, existsSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ReadSettings } from '../settings/config.ts';
import { type Environment, variableOf } from '../settings/setting.ts';
import { speechSettingsOf } from '../settings/speech-settings.ts';
import { callFolderOf } from '../settings/telephony-settings.ts';
import { ownKeyFile } from '../setup/open-secret-box.ts';
import { error, type Finding, orOk, reasonOf, warning } from './finding.ts';

type NamedPath = { readonly variable: string; readonly path: string };

/** Settings whose file holds a secret. */
const secretSettings = [
  'databaseUrl',
  'migrateDatabaseUrl',
  'backupDatabaseUrl',
  'natsUrl',
  'natsCredentials',
  'heartbeatUrl',
  'secretsKey',
  'firstAdminPassword',
] as const satisfies readonly (keyof ReadSettings)[];

/** Secrets that others can read, and folders that the server cannot use. Faults of missing files are those of the settings. */
export async function checkFiles(
  settings: ReadSettings,
  environment: Environment,
): Promise<readonly Finding[]> {
  const found = await Promise.all([
    ...secretFiles(settings, environment).map(checkSecret),
    ...writtenFolders(settings).map(checkFolder),
    ...readFolders(settings).map(checkExists),
  ]);
  return orOk(found.flat(), 'files', 'Secrets are private, and the folders can be used');
}

function secretFiles(
  { secretsKey, stateFolder, tlsKeyFile }: ReadSettings,
  environment: Environment,
): NamedPath[] {
  const named = secretSettings.map((setting) => {
    const variable = `${variableOf(setting)}_FILE`;
    return { variable, path: environment[variable] ?? '' };
  });
  const own = { variable: 'STATE_FOLDER', path: secretsKey === undefined ? ownKeyFile(stateFolder) : '' };
  const all = [...named, own, { variable: 'TLS_KEY_FILE', path: tlsKeyFile ?? '' }];
  return all.filter(({ path }) => path !== '' && existsSync(path));
}

const othersMayRead = 0o004;

async function checkSecret({ variable, path }: NamedPath): Promise<Finding[]> {
  const { mode } = await stat(path);
  if ((mode & othersMayRead) === 0) return [];
  return [
    warning(
      'files.readable-by-others',
      `${variable} (${path}) can be read by every user of this machine`,
      `chmod o= ${path}`,
    ),
  ];
}

/** Folders that the server writes to, and creates if they are missing. */
export function writtenFolders(settings: ReadSettings): NamedPath[] {
  const { stateFolder, secretsKey, auditHeadsFile } = settings;
  return [
    // The server keeps a key of its own in it, unless it is given one.
    ...(secretsKey === undefined ? [{ variable: 'STATE_FOLDER', path: resolve(stateFolder) }] : []),
    { variable: 'SPEECH_DIRECTORY', path: resolve(speechSettingsOf(settings).directory) },
    { variable: 'CALL_FOLDER', path: callFolderOf(settings) },
    ...(auditHeadsFile === undefined
      ? []
      : [{ variable: 'AUDIT_HEADS_FILE', path: dirname(auditHeadsFile) }]),
  ];
}

/** The folder, or the nearest one above it that exists. */
export function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

async function checkFolder({ variable, path }: NamedPath): Promise<Finding[]> {
  const folder = nearestFolder(path);
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
    await access(folder, constants.W_OK | constants.X_OK);
    return [];
  } catch (thrown) {
    const give = `create the folder ${path}, and let the user of the server write to it`;
    return [error('files.folder', `${variable} (${path}) cannot be written: ${reasonOf(thrown)}`, give)];
  }
}

/** Folders that other programs fill. */
function readFolders({ smsModemDirectory }: ReadSettings): NamedPath[] {
  return smsModemDirectory === undefined
    ? []
    : [{ variable: 'SMS_MODEM_DIRECTORY', path: smsModemDirectory }];
}

async function checkExists({ variable, path }: NamedPath): Promise<Finding[]> {
  try {
    await access(path, constants.R_OK | constants.X_OK);
    return [];
  } catch (thrown) {
    const message = `${variable} (${path}) cannot be read: ${reasonOf(thrown)}`;
    return [error('files.folder', message, `create the folder ${path}, or correct ${variable}`)];
  }
}
