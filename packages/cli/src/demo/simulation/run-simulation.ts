import { type Api, ProblemError, readAll } from '@tocsin/client';
import type { Alarm } from '@tocsin/contract';
import type { PlantTag } from '../waterworks/tags.ts';
import type { PlantAction, PlantModel } from './plant-model.ts';

/** The interface of the server, as the control system and as the operator. */
export type Hands = {
  /** With the key of the control system: it raises and resets, nothing else. */
  readonly control: Api;
  /** With the log-in of the operator. */
  readonly operator: Api;
  readonly dataServerIds: ReadonlyMap<string, number>;
};

export type Simulation = {
  /** How many seconds of the plant pass in one second. */
  speed: number;
  stop(): Promise<void>;
};

const stepMs = 250;

/** Lets the plant live, and reports what happens to the server. Failed requests are told, and not repeated. */
export function runSimulation(
  model: PlantModel,
  hands: Hands,
  onFailure: (error: unknown) => void,
): Simulation {
  let busy: Promise<void> | undefined;
  const simulation = {
    speed: 1,
    stop: async () => {
      clearInterval(timer);
      await busy;
    },
  };
  const step = async () => {
    for (const action of model.advance((simulation.speed * stepMs) / 1_000)) await perform(hands, action);
  };
  const timer = setInterval(() => {
    busy ??= step()
      .catch(onFailure)
      .finally(() => (busy = undefined));
  }, stepMs);
  return simulation;
}

async function perform({ control, operator, dataServerIds }: Hands, action: PlantAction): Promise<void> {
  const { kind, tag, value } = action;
  const dataServerId = dataServerIds.get(tag.dataServer) ?? 0;
  if (kind === 'acknowledge') return acknowledge(operator, tag);
  await control.post('/alarms', { dataServerId, path: tag.path, raised: kind === 'raise', value });
}

/** Only alarms that have ended, and that nobody else has acknowledged: the others are for the visitor. */
async function acknowledge(operator: Api, tag: PlantTag): Promise<void> {
  const { data } = await operator.get<{ items: Alarm[] }>('/alarms', { search: `"${tag.path}"`, limit: 5 });
  const alarm = data.items.find(({ path, state }) => path === tag.path && (state & 3) === 2);
  if (!alarm) return;
  try {
    await operator.post(`/alarms/${alarm.id}/acknowledge`, { comment: 'Seen in the control room' });
  } catch (error) {
    // Somebody was faster.
    if (!(error instanceof ProblemError) || error.status >= 500 || error.status === 0) throw error;
  }
}

/** A control system that starts again reports that everything is well, before it reports the next fault. */
export async function reportAllWell(
  { control, operator, dataServerIds }: Hands,
  tags: readonly PlantTag[],
): Promise<void> {
  const known = new Map(tags.map((tag) => [`${dataServerIds.get(tag.dataServer)} ${tag.path}`, tag]));
  for (const { dataServerId, path, state } of (await readAll<Alarm>(operator, '/alarms')).values()) {
    const tag = known.get(`${dataServerId} ${path}`);
    if (tag && (state & 1) === 1)
      await control.post('/alarms', { dataServerId, path, raised: false, value: tag.normal });
  }
}
