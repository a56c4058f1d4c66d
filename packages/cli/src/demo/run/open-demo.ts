import type { Surroundings } from '../../command/command.ts';
import type { DemoFolder } from '../folder/demo-folder.ts';
import { findPort, host } from '../folder/find-port.ts';
import { type AlarmServer, startServer, visitor } from '../folder/start-server.ts';
import { callBack } from '../phones/call-back.ts';
import { PhoneExchange } from '../phones/phone-exchange.ts';
import { servePhones } from '../phones/phone-server.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import type { Progress } from '../screen/progress.ts';
import type { Addresses } from '../screen/start-screen.ts';
import { PlantModel } from '../simulation/plant-model.ts';
import { randomFrom } from '../simulation/random.ts';
import { reportAllWell, runSimulation, type Simulation } from '../simulation/run-simulation.ts';
import { buildWaterworks, dataServerNumbers, isBuilt } from '../waterworks/build-waterworks.ts';
import { operator, people, withPhones } from '../waterworks/people.ts';
import { tags } from '../waterworks/tags.ts';
import { logInAs, withKey } from './log-in-as.ts';
import { createSignInLinks } from './sign-in-links.ts';

export type Demo = {
  readonly addresses: Addresses;
  readonly exchange: PhoneExchange;
  readonly model: PlantModel;
  readonly simulation: Simulation;
  newSignInLink(): string;
  /** Resolves when a part of the demo ends by itself, with its name. */
  readonly broken: Promise<string>;
};

export type DemoPorts = { readonly server: number; readonly phones: number };

type Opening = {
  readonly folder: DemoFolder;
  readonly ports: DemoPorts;
  readonly seed: number;
  readonly progress: Progress;
  /** Gets a task for each part that was started; they run in the opposite order. */
  atEnd(task: () => Promise<unknown>): void;
  onFailure(error: unknown): void;
};

/** Starts all parts of the demo. */
export async function openDemo(
  { program, environment, now }: Surroundings,
  { folder, ports, seed, progress, atEnd, onFailure }: Opening,
): Promise<Demo> {
  const postgres = await progress.step(
    'PostgreSQL',
    () => openPostgres(folder),
    ({ version }) => `PostgreSQL ${/^\d+\.\d+/.exec(version)?.[0]} in ${folder.path}`,
  );
  atEnd(postgres.stop);
  const [port, phonesPort] = [await findPort(ports.server), await findPort(ports.phones)];
  const started = { program, environment, port, phonesPort, ...postgres };
  const server = await progress.step(
    'Server',
    () => startServer(folder, started),
    ({ url }) => `Server on ${url}`,
  );
  atEnd(server.stop);
  const password = folder.secret(`${visitor}.password`);
  const links = createSignInLinks({ url: server.url, password });
  const phones = `http://${host}:${phonesPort}`;
  const secret = folder.secret('phones.secret');
  const exchange = new PhoneExchange({
    people: withPhones,
    now,
    report: ({ callbackUrl }, report) => void callBack({ url: callbackUrl, secret, now }, report),
  });
  const page = await servePhones(exchange, { port: phonesPort, serverUrl: server.url, signIn: links.redeem });
  atEnd(async () => {
    exchange.close();
    await page.close();
  });
  await progress.step(describePlant(), () => buildPlant(server, folder, { phones, now }));
  const model = new PlantModel(tags, randomFrom(seed));
  const simulation = await progress.step('Telephones, and a plant that lives', () =>
    startPlant(model, { server, folder, now, onFailure, atEnd }),
  );
  const newSignInLink = () => `${phones}/sign-in/${links.renew()}`;
  return {
    addresses: {
      signIn: newSignInLink(),
      phones: `${phones}/`,
      server: server.url,
      key: folder.recall('scada.key') ?? '',
    },
    exchange,
    model,
    simulation,
    newSignInLink,
    broken: Promise.race([
      postgres.child.ended.then(() => 'PostgreSQL'),
      server.child.ended.then(() => 'The server'),
    ]),
  };
}

function describePlant(): string {
  const stations = new Set(tags.map(({ dataServer }) => dataServer)).size;
  return `Waterworks Valmont: ${stations} stations, ${tags.length} tags, ${people.length} people`;
}

async function buildPlant(
  { url }: AlarmServer,
  folder: DemoFolder,
  { phones, now }: { phones: string; now: () => number },
): Promise<void> {
  if (isBuilt(folder, phones)) return;
  const { api, logOut } = await logInAs({ baseUrl: url, now }, visitor, folder.secret(`${visitor}.password`));
  await buildWaterworks(api, folder, phones);
  await logOut();
}

/** The control system uses its key, and the operator their own log-in. */
async function startPlant(
  model: PlantModel,
  {
    server,
    folder,
    now,
    onFailure,
    atEnd,
  }: Pick<Opening, 'folder' | 'onFailure' | 'atEnd'> & { server: AlarmServer; now: () => number },
): Promise<Simulation> {
  const at = { baseUrl: server.url, now };
  const { api } = await logInAs(at, operator, folder.secret(`${operator}.password`));
  const control = withKey(at, folder.recall('scada.key') ?? '');
  const hands = { control, operator: api, dataServerIds: await dataServerNumbers(api) };
  await reportAllWell(hands, tags);
  const simulation = runSimulation(model, hands, onFailure);
  atEnd(async () => {
    await simulation.stop();
    // Otherwise the next start would find calls that nobody has made for a while, and say so.
    await reportAllWell(hands, tags).catch(onFailure);
  });
  return simulation;
}
