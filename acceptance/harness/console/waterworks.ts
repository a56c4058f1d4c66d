import { granted } from '../http/granted.ts';
import type { Plant } from '../plant.ts';

export type NightAlarm = {
  readonly priority: number;
  readonly message: string;
  readonly path: string;
  readonly area: string;
  readonly value: string;
  readonly ends?: 'ack' | 'reset' | 'mask';
  /** The call group that is called. */
  readonly callGroupId?: number;
};

const areas = [
  'Chlorination',
  'High lift',
  'Telemetry',
  'Bellecombe',
  'Intake',
  'Filters',
  'Power',
  'Laboratory',
];

const alarm = (
  priority: number,
  [message, path, area, value]: readonly [string, string, string, string],
  ends?: NightAlarm['ends'],
): NightAlarm => ({ priority, message, path, area, value, ...(ends && { ends }) });

/** A night in a waterworks: each priority and each state is there. */
export const nightAlarms: readonly NightAlarm[] = [
  alarm(1, ['Chlorine residual low-low', 'Chlor.CL201.LL', 'Chlorination', '0.14 mg/l']),
  alarm(1, ['P302 tripped, no standby', 'Lift.P302.TRIP', 'High lift', 'tripped'], 'ack'),
  alarm(2, ['Outlet pressure low', 'Lift.PT310.L', 'High lift', '3.1 bar'], 'ack'),
  alarm(2, ['Chlorine store door open', 'Sec.D14.OPEN', 'Chlorination', 'open']),
  alarm(2, ['Link to Bellecombe lost', 'Tel.BEL.COMM', 'Telemetry', 'no reply']),
  alarm(2, ['Reservoir 2 level falling fast', 'Bel.LT210.ROC', 'Bellecombe', '−18 cm/h']),
  alarm(2, ['Turbidity high, contact tank 1', 'Chlor.TB101.H', 'Chlorination', '0.9 NTU'], 'reset'),
  alarm(3, ['Raw water turbidity above 20 NTU', 'Int.TB001.H', 'Intake', '22 NTU']),
  alarm(3, ['Backwash pump P411 start failed', 'Filt.P411.START', 'Filters', 'failed'], 'reset'),
  alarm(3, ['Filter 4 head loss high', 'Filt.DP404.H', 'Filters', '1.8 m'], 'ack'),
  alarm(3, ['Genset 1 battery voltage low', 'Pow.G1.UBAT', 'Power', '22.1 V'], 'ack'),
  alarm(3, ['Sampling pump SP12 no flow', 'Lab.SP12.FLOW', 'Laboratory', '0 l/h'], 'mask'),
  alarm(4, ['Analyser CL203 calibration due', 'Chlor.CL203.CAL', 'Chlorination', '']),
  alarm(4, ['MCC 2 cabinet door open', 'Pow.MCC2.DOOR', 'Power', 'open'], 'ack'),
  alarm(4, ['Flow meter FT118 signal noisy', 'Int.FT118.QUAL', 'Intake', 'ok'], 'reset'),
];

export type Waterworks = { readonly stationId: number; readonly areaIds: ReadonlyMap<string, number> };

/** Sets up station, data server, areas and guidance through the interface. */
export async function buildWaterworks({ client }: Pick<Plant, 'client'>): Promise<Waterworks> {
  const create = async (path: string, body: object) =>
    granted<number>(await client.post(`/api/v1${path}`, body));
  const change = async (path: string, body: object) => {
    const { headers } = await client.get(path);
    granted(await client.send('PUT', path, { body, headers: { 'if-match': headers['etag'] ?? '*' } }));
  };
  // The station and the data server that every installation begins with.
  const stationId = 1;
  await change('/api/v1/stations/1', { name: 'Valmont works', timeZone: 'Europe/Paris' });
  await change('/api/v1/dataservers/1', { name: 'PLC-VAL', stationId });
  const areaIds = new Map<string, number>();
  for (const name of areas) areaIds.set(name, await create('/taggroups', { name, stationId }));
  const guidance = {
    steps: [
      'Start dosing pump P222; P221 may have lost prime.',
      'Take a grab sample at tap 3 and compare.',
      'Below 0.10 mg/l: close outlet valve V240.',
    ],
    cause: 'Air in the dosing line, empty drum, analyser fouled',
    consequence: 'Undisinfected water reaches zone 1 in about 25 min',
    respondSeconds: 600,
  };
  granted(
    await client.send('PUT', `/api/v1/taggroups/${areaIds.get('Chlorination')}/guidance`, { body: guidance }),
  );
  return { stationId, areaIds };
}

/** Raises the alarms of the night, and acknowledges, ends or masks those that say so. Returns their numbers by path. */
export async function raiseNight(
  { client }: Pick<Plant, 'client'>,
  { stationId, areaIds }: Waterworks,
  alarms: readonly NightAlarm[] = nightAlarms,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const { priority, message, path, area, value, ends, callGroupId } of alarms) {
    const body = {
      stationId,
      path,
      priority,
      value,
      alarmMessage: message,
      tagGroupId: areaIds.get(area),
      raised: true,
      ...(callGroupId !== undefined && { alarmActions: [{ type: 'CallGroup', id: callGroupId }] }),
    };
    const id = granted<number>(await client.post('/api/v1/alarms', body));
    ids.set(path, id);
    if (ends === 'ack') granted(await client.post(`/api/v1/alarms/${id}/acknowledge`, {}));
    if (ends === 'reset') granted(await client.post('/api/v1/alarms', { stationId, path, raised: false }));
    if (ends === 'mask')
      granted(await client.post(`/api/v1/alarms/${id}/mask`, { reason: 'tube change', seconds: 7_200 }));
  }
  return ids;
}
