import { ConsoleHealth } from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import { createConfigurationCache } from '../escalations/configuration-cache.ts';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { type HealthRow, readHealth } from './console-health.store.ts';
import { dutyNow } from './duty-now.ts';

/** Of the tenants whose consoles are open. */
const cacheMb = 8;

/** The proof that an empty list of alarms is empty because all is well. */
export function consoleHealthRoutes(app: HttpApp, runtime: Runtime): void {
  const configuration = createConfigurationCache(cacheMb);
  app.get(
    '/api/v1/console/health',
    {
      config: { permission: 'alarms:read' },
      schema: {
        tags: ['console'],
        summary: 'Show that sources, calls and rosters work',
        response: { 200: ConsoleHealth },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { stationIds, permissions } = principalOf(request);
        const { now } = transaction;
        const health = healthToWire(await readHealth(transaction, stationIds), now);
        if (!permissions.has('callgroups:read')) return health;
        const directory = await configuration.readDirectory(transaction);
        return { ...health, onDuty: dutyNow(directory, stationIds, now) };
      }),
  );
}

function healthToWire(row: HealthRow, now: Date): ConsoleHealth {
  const zone = row.timeZone ?? 'UTC';
  const shown = (time: string, inZone = zone) => formatInZone(inZone, new Date(time));
  const { lastAlarm, lastTestAt, escalations } = row;
  const { oldest } = escalations;
  return {
    time: formatInZone(zone, now),
    ...(lastAlarm && { lastAlarm: lastAlarmToWire(lastAlarm) }),
    dataServers: row.sources.map(({ id, name, stationId, lastAt, zone: inZone }) => ({
      id,
      name,
      stationId: stationId ?? 0,
      ...(lastAt !== null && { lastTime: shown(lastAt, inZone) }),
    })),
    media: row.media.map(({ medium, channels, down, lastAt }) => ({
      medium,
      channels,
      down,
      ...(lastAt !== null && { lastCheckTime: shown(lastAt) }),
    })),
    ...(lastTestAt !== null && { lastCallTestTime: shown(lastTestAt) }),
    openEscalations: escalations.open,
    overdueEscalations: escalations.overdue,
    dispatchLagSeconds: oldest === null ? 0 : secondsBetween(new Date(oldest), now),
    endingMasks: row.endingMasks.map(({ id, name, message, until, reason, by, zone: inZone }) => ({
      id,
      name,
      message,
      maskedUntil: shown(until, inZone),
      maskReason: reason ?? '',
      maskedBy: by ?? '',
    })),
  };
}

function lastAlarmToWire({ at, zone, ...alarm }: NonNullable<HealthRow['lastAlarm']>) {
  return { ...alarm, time: formatInZone(zone, new Date(at)) };
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 1_000));
}
