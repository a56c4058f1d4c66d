import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../command/command.ts';
import { type Child, startChild } from './child-process.ts';
import type { DemoFolder } from './demo-folder.ts';
import { host } from './find-port.ts';

export type AlarmServer = { readonly url: string; readonly child: Child; stop(): Promise<void> };

/** The administrator as whom the visitor signs in. */
export const visitor = 'demo';

type Start = {
  /** The command that runs this program. */
  readonly program: readonly string[];
  readonly environment: Environment;
  readonly port: number;
  readonly phonesPort: number;
  readonly ownerUrl: string;
  readonly serverUrl: string;
};

const pollMs = 50;
const stopMs = 20_000;

/** Starts the server as an operator would, with settings in its environment, and waits until it is ready. */
export async function startServer(folder: DemoFolder, start: Start): Promise<AlarmServer> {
  const [command = '', ...args] = start.program;
  const url = `http://${host}:${start.port}`;
  folder.remember('owner-url', start.ownerUrl);
  folder.remember('server-url', start.serverUrl);
  const child = startChild({
    name: 'The server',
    command,
    args: [...args, 'serve'],
    logFile: join(folder.path, 'server.log'),
    options: { cwd: folder.path, env: settingsFor(folder, url, start) },
  });
  while (!(await isReady(url))) {
    child.requireRunning();
    await sleep(pollMs);
  }
  folder.remember('address', url);
  return { url, child, stop: () => child.stop('SIGTERM', stopMs) };
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Only what the program needs of the environment: settings of another server must not apply here. */
function settingsFor(folder: DemoFolder, url: string, { environment, port, phonesPort }: Start) {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_EXTRA_CA_CERTS'];
  return {
    ...Object.fromEntries(kept.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []))),
    NODE_COMPILE_CACHE: join(folder.path, 'compiled'),
    DATABASE_URL_FILE: join(folder.path, 'server-url'),
    MIGRATE_DATABASE_URL_FILE: join(folder.path, 'owner-url'),
    HOST: host,
    PORT: String(port),
    ADMIN_PORT: '0',
    PUBLIC_URL: url,
    // The telephones of the demo, and no other address of this machine.
    EGRESS_ALLOW: `${host}/32:${phonesPort}`,
    FIRST_ADMIN_USERNAME: visitor,
    FIRST_ADMIN_PASSWORD_FILE: folder.secretFile(`${visitor}.password`),
    SECRETS_KEY_FILE: folder.secretFile('secrets-key'),
    STATE_FOLDER: join(folder.path, 'state'),
    DRAIN_MS: '0',
  };
}
