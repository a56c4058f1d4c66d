import { AlarmPlace, IdParams, type Location } from '@tocsin/contract';
import { requireAlarm } from '../alarms/alarm.routes.ts';
import { answerRead } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { findPlace, type PlaceRow } from './alarm-place.store.ts';

export function alarmPlaceRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/alarms/:id/place',
    {
      config: { permission: 'plant:read' },
      schema: {
        tags: ['alarms'],
        summary: 'Where on a site plan of its station an alarm is',
        params: IdParams,
        response: { 200: AlarmPlace },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const record = await requireAlarm(transaction, request.params.id, principalOf(request));
        const { tagId, definition, status } = record;
        const { stationId, tagGroupId } = definition;
        const beaconIds = beaconsByAccuracy(status.location);
        return toPlace(await findPlace(transaction, { tagId, stationId, tagGroupId, beaconIds }));
      }),
  );
}

/** The beacons that the device has located best come first; those without an accuracy last. */
function beaconsByAccuracy(location: Location | null): string[] {
  const metres = ({ accuracy = Number.POSITIVE_INFINITY }: { accuracy?: number }) => accuracy;
  return (location?.beaconList ?? [])
    .toSorted((one, other) => compare(metres(one), metres(other)))
    .flatMap(({ id }) => (id === undefined || id === '' ? [] : [id]));
}

const compare = (one: number, other: number) => (one < other ? -1 : Number(one > other));

function toPlace(row: PlaceRow | undefined): AlarmPlace {
  if (!row) return {};
  const { planId, plan, mediaFileId, width, height, x, y, label, object } = row;
  return {
    planId,
    plan,
    imageId: mediaFileId,
    width,
    height,
    x,
    y,
    ...(label !== '' && { label }),
    rule: object,
  };
}
