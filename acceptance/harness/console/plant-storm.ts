import { runStorm, type Storm } from '../client/storm.ts';
import { seededRandom } from '../http/alarm-traffic.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Waterworks } from './waterworks.ts';

const faults = ['tripped', 'pressure low', 'vibration high', 'bearing too hot', 'no flow'];

/** One in 40 is of priority 1, as in a plant that was set up with care. */
const priorityOf = (tag: number) => (tag % 40 === 0 ? 1 : 2 + (tag % 3));

/** The alarm of a tag, by its number. */
export function alarmOf({ stationId, areaIds }: Waterworks, tag: number) {
  const groups = [...areaIds];
  const [area, tagGroupId] = groups[tag % groups.length] ?? ['', 0];
  return {
    stationId,
    path: `${area.slice(0, 4)}.P${100 + tag}.F`,
    priority: priorityOf(tag),
    alarmMessage: `${area} P${100 + tag} ${faults[tag % faults.length]}`,
    tagGroupId,
  };
}

export type StormSize = {
  readonly perSecond?: number;
  /** How many alarms there are at most. */
  readonly tags?: number;
  /** The number of the first of them: another one means other alarms. */
  readonly firstTag?: number;
};

/**
 * A storm in the waterworks at a steady rate: of five changes three raise an alarm, one ends the fault of one, and one
 * acknowledges one.
 */
export function startPlantStorm(
  client: HttpClient,
  works: Waterworks,
  { perSecond = 50, tags = 240, firstTag = 0 }: StormSize = {},
): Storm {
  const random = seededRandom(50);
  const ids: number[] = [];
  return runStorm(perSecond, async (number) => {
    const id = ids[random(ids.length)];
    if (number % 5 === 4 && id !== undefined)
      return (await client.post(`/api/v1/alarms/${id}/acknowledge`, {})).status === 200;
    const raised = number % 5 !== 3;
    const body = { ...alarmOf(works, firstTag + random(tags)), value: String(number), raised };
    const answer = await client.post('/api/v1/alarms', body);
    if (answer.status !== 200) return false;
    if (raised) ids.push(answer.json<number>());
    return true;
  });
}
