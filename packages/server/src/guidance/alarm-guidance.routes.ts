import { AlarmGuidance, type GuidanceOrigin, IdParams, Tag } from '@tocsin/contract';
import { requireAlarm } from '../alarms/alarm.routes.ts';
import { toAlarm } from '../alarms/decide/alarm.wire.ts';
import type { AlarmRecord } from '../alarms/decide/alarm-record.ts';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { findNewestGuidance, type GuidanceOfAlarm, readGuidanceOfAlarms } from './guidance.store.ts';
import { toGuidanceVersion } from './guidance.wire.ts';
import { findReport, nameOfGroup } from './tag.store.ts';
import { toTag } from './tag.wire.ts';

/** What applies to one alarm, wherever it was written. */
export function alarmGuidanceRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/alarms/:id/guidance',
    {
      config: { permission: 'alarms:read' },
      schema: {
        tags: ['alarms'],
        summary: 'The guidance of an alarm: of its tag, else of the nearest tag group, else of its station',
        params: IdParams,
        response: { 200: AlarmGuidance },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const record = await requireAlarm(transaction, request.params.id, principalOf(request));
        return readAlarmGuidance(transaction, record);
      }),
  );

  app.get(
    '/api/v1/tags/:id',
    {
      config: { permission: 'alarms:read' },
      schema: {
        tags: ['tags'],
        summary: 'A tag and its last reported value',
        params: IdParams,
        response: { 200: Tag },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const record = await requireAlarm(transaction, request.params.id, principalOf(request));
        return readTag(transaction, record);
      }),
  );
}

async function readAlarmGuidance(
  transaction: TenantTransaction,
  record: AlarmRecord,
): Promise<AlarmGuidance> {
  const found = await guidanceOfAlarm(transaction, record);
  if (!found) return {};
  const target = { object: found.object, id: found.objectId };
  const row = await findNewestGuidance(transaction, target);
  if (!row) return {};
  return { ...toGuidanceVersion(row, record.timeZone), from: await originOf(transaction, record, found) };
}

async function readTag(transaction: TenantTransaction, record: AlarmRecord): Promise<Tag> {
  const { tagId, definition } = record;
  const found = await guidanceOfAlarm(transaction, record);
  return toTag(record, {
    group: definition.tagGroupId === null ? '' : await nameOfGroup(transaction, definition.tagGroupId),
    reportedAt: await findReport(transaction, tagId),
    ...(found && {
      guidanceFrom: await originOf(transaction, record, found),
      respondSeconds: found.respondSeconds,
    }),
  });
}

async function guidanceOfAlarm(
  transaction: TenantTransaction,
  { tagId }: AlarmRecord,
): Promise<GuidanceOfAlarm | undefined> {
  return (await readGuidanceOfAlarms(transaction, [tagId])).get(tagId);
}

async function originOf(
  transaction: TenantTransaction,
  record: AlarmRecord,
  { object, objectId: id }: GuidanceOfAlarm,
): Promise<GuidanceOrigin> {
  const names = {
    tag: () => toAlarm(record).localizedName,
    tagGroup: () => nameOfGroup(transaction, id),
    station: () => record.stationName,
  };
  return { object, id, name: await names[object]() };
}
