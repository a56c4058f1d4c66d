import { ListStations, Station, StationBody, StationPage } from '@tocsin/contract';
import { formatUtc, isZone } from '@tocsin/domain';
import { collectionRoutes } from '../http/collection.routes.ts';
import type { HttpApp } from '../http/http-app.ts';
import { maySeeStation, requireWholeTenant } from '../http/principal.ts';
import { invalid, ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import {
  deleteStation,
  findHolderOfStation,
  findStation,
  insertStation,
  listStations,
  type StationRow,
  updateStation,
} from './station.store.ts';

export function stationRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'stations',
    noun: 'station',
    permission: { read: 'plant:read', write: 'plant:write' },
    schema: { item: Station, page: StationPage, body: StationBody, query: ListStations },
    list: async ({ transaction, principal }, { search }, page) => {
      const { stationIds } = principal;
      const { rows, total } = await listStations(transaction, { search, stationIds }, page);
      return { items: rows.map(toWire), total };
    },
    find: async ({ transaction, principal }, id, options) => {
      if (!maySeeStation(principal, id)) return undefined;
      const row = await findStation(transaction, id, options);
      return row && { item: toWire(row), version: row.version };
    },
    create: ({ transaction, principal }, body) => {
      requireWholeTenant(principal);
      checkStation(body);
      return insertStation(transaction, body);
    },
    replace: ({ transaction, principal }, id, body) => {
      requireWholeTenant(principal);
      checkStation(body);
      return updateStation(transaction, id, body);
    },
    remove: async ({ transaction, principal }, id) => {
      requireWholeTenant(principal);
      const holder = await findHolderOfStation(transaction, id);
      if (holder !== undefined) throw new ProblemError('conflict', `${holder} is bound to station ${id}`);
      return deleteStation(transaction, id);
    },
  });
}

function checkStation({ timeZone }: StationBody): void {
  if (timeZone !== undefined && !isZone(timeZone))
    throw invalid('/timeZone', `${timeZone} is not an IANA time zone`);
}

function toWire({ id, name, localizedName, timeZone, lastChange }: StationRow): Station {
  return { id, name, localizedName, timeZone, lastChange: formatUtc(lastChange) };
}
