import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Exported, exportPlant, plantText } from '../../apply/export-plant.ts';
import { CommandError } from '../../common/command-error.ts';
import { readItems } from '../../plant/directory.ts';
import { sections } from '../../plant/kind.ts';
import { type RunningDemo, runningDemo } from '../folder/demo-folder.ts';
import { visitor } from '../folder/start-server.ts';
import { logInAs } from '../run/log-in-as.ts';
import { plantEntries } from '../waterworks/plant-entries.ts';
import { realPlant } from './real-plant.ts';

type Promotion = { readonly demo: string; readonly target: string; now(): number };

/** Writes the configuration of a real server, and returns what to do with it. Nothing that exists is overwritten. */
export async function promoteDemo({ demo, target, now }: Promotion): Promise<string> {
  const folder = resolve(target);
  const running = runningDemo(demo);
  const plant = running ? await exportOf(running, now) : (plantEntries('') as Exported);
  const files = {
    'tocsin.env': settingsText(folder),
    'secrets-key': `${randomBytes(32).toString('base64')}\n`,
    'admin.password': `${randomBytes(18).toString('base64')}\n`,
    'plant.yaml': plantText(realPlant(plant, visitor)),
  };
  const present = Object.keys(files).filter((name) => existsSync(join(folder, name)));
  if (present.length > 0)
    throw new CommandError(`${folder} has ${present.join(', ')} already. Name an empty folder.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), text, { flag: 'wx', mode: 0o600 });
  return nextSteps(folder, running !== undefined);
}

/** The plant as it is now, with the changes of the visitor. */
async function exportOf({ url, password }: RunningDemo, now: () => number): Promise<Exported> {
  const { api, logOut } = await logInAs({ baseUrl: url, now }, visitor, password);
  const exported = exportPlant(await readItems(api, sections), sections);
  await logOut();
  return exported;
}

const settingsText = (
  folder: string,
) => `# Settings of a Tocsin server. docs/configuration.md describes all of them.

# create-database.sh writes these two files. The first login serves; the second one owns the tables.
DATABASE_URL_FILE=${folder}/server-url
MIGRATE_DATABASE_URL_FILE=${folder}/owner-url

# The key that encrypts secrets in the database. Keep a copy, apart from the backups of the database.
SECRETS_KEY_FILE=${folder}/secrets-key
STATE_FOLDER=${folder}/state

# The first administrator. Change the password after the first log-in.
FIRST_ADMIN_USERNAME=admin
FIRST_ADMIN_PASSWORD_FILE=${folder}/admin.password

# This machine only. For others set HOST=0.0.0.0 and a certificate, or put a proxy with TLS in front.
HOST=127.0.0.1
PORT=8080
#TLS_CERT_FILE=/etc/tocsin/certificate.pem
#TLS_KEY_FILE=/etc/tocsin/key.pem

# CHANGE: the URL at which people and providers reach this server.
#PUBLIC_URL=https://alarms.example

# CHANGE: addresses in your network to which messages may be sent, such as your mail server.
#EGRESS_ALLOW=10.0.0.25:587
`;

const nextSteps = (folder: string, isRunning: boolean) => `${folder} has the configuration of a real server:

  tocsin.env      settings, with a secrets key of its own
  plant.yaml      ${isRunning ? 'the plant as it is in the demo now' : 'the plant as the demo makes it: it does not run, so your changes are not in it'}
  secrets-key     keep a copy of it
  admin.password  of the first administrator

Change first, in plant.yaml:

  - people and their numbers: those of the demo belong to nobody
  - add a channel, because the telephones of the demo stay behind (docs/sip.md, docs/sms.md, docs/mail.md)
  - stations, time zones and tags: those of your plant
  - the waits of the call groups are 180 seconds and two rounds now, not those of the demo

Then, with a PostgreSQL 15 or later and create-database.sh of the release:

  STATE_FOLDER=${folder} sh create-database.sh
  set -a; . ${folder}/tocsin.env; set +a
  tocsin check
  tocsin serve
  tocsin apply -f ${folder}/plant.yaml --user admin --password-file ${folder}/admin.password --dry-run

The last one shows what would be written; without --dry-run it writes it.
`;
