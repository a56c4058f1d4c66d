import {
  type AlarmContext,
  AlarmContextPage,
  type Area,
  type AreaCount,
  AreaPage,
  consolePriorities,
  ListAlarmContexts,
  ListAreas,
  maxContextIds,
} from '@tocsin/contract';
import { formatInZone } from '@tocsin/domain';
import { type GuidanceOfAlarm, readGuidanceOfAlarms } from '../guidance/guidance.store.ts';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { type ContextRow, listAlarmContexts } from './alarm-context.store.ts';
import { type AreaRow, readAreas } from './area.store.ts';

/** Areas with the counts of their alarms, and the area, mask and repeats of each alarm. */
export function areaRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/areas',
    {
      config: { permission: 'alarms:read' },
      schema: {
        tags: ['console'],
        summary: 'List the areas of the plant with the counts of their alarms',
        querystring: ListAreas,
        response: { 200: AreaPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const asked = pageRequest(request.query);
        const { offset, limit } = asked;
        const rows = await readAreas(transaction, principalOf(request).stationIds);
        return page(rows.slice(offset, offset + limit).map(areaToWire), asked, rows.length);
      }),
  );

  app.get(
    '/api/v1/alarms/contexts',
    {
      config: { permission: 'alarms:read' },
      schema: {
        tags: ['console'],
        summary: 'List what a console shows of alarms besides their members',
        querystring: ListAlarmContexts,
        response: { 200: AlarmContextPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const ids = request.query.ids?.split(',').map(Number);
        const asked = pageRequest(ids ? { limit: maxContextIds } : request.query);
        const { stationIds } = principalOf(request);
        const { rows, total } = await listAlarmContexts(transaction, { stationIds, ids }, asked);
        const guidance = await readGuidanceOfAlarms(
          transaction,
          rows.map(({ id }) => id),
        );
        return page(
          rows.map((row) => contextToWire(row, guidance.get(row.id))),
          asked,
          total,
        );
      }),
  );
}

const emptyCount = (priority: number): AreaCount => ({
  priority,
  active: 0,
  unacknowledged: 0,
  returned: 0,
  masked: 0,
});

function areaToWire({ id, name, stationId, timeZone, ...row }: AreaRow): Area {
  const counts = consolePriorities.map(
    (priority) => row.counts.find((one) => one.priority === priority) ?? emptyCount(priority),
  );
  const isQuiet = counts.every(({ active }) => active === 0);
  return {
    id,
    name,
    stationId,
    counts,
    ...(row.highestUnacknowledged !== null && { highestUnacknowledged: row.highestUnacknowledged }),
    ...(row.lastChange && { lastChange: formatInZone(timeZone, row.lastChange) }),
    ...(isQuiet && row.lastActivity && { quietSince: formatInZone(timeZone, row.lastActivity) }),
  };
}

function contextToWire(
  { id, stationId, station, timeZone, repeats, ...row }: ContextRow,
  guidance: GuidanceOfAlarm | undefined,
): AlarmContext {
  return {
    id,
    stationId,
    station,
    tagGroupId: row.tagGroupId ?? 0,
    areaId: row.areaId ?? 0,
    area: row.area ?? '',
    ...(row.maskUntil && {
      maskedUntil: formatInZone(timeZone, row.maskUntil),
      maskReason: row.maskReason ?? '',
      maskedBy: row.maskBy ?? '',
    }),
    repeats,
    ...(row.nobodyToCall && { nobodyToCall: true as const }),
    ...(guidance && { guidanceFrom: guidance.object }),
    ...(guidance && guidance.respondSeconds > 0 && { respondSeconds: guidance.respondSeconds }),
  };
}
