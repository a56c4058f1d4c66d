import { ListStations, Station, StationBody, StationPage } from '@tocsin/contract';
import { formatUtc, isZone } from '@tocsin/domain';
import { invalid, ProblemError } from '../common/problem.ts';
import { collectionRoutes } from '../http/collection.routes.ts';
import { tenantCollection } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { findAccountOfStation, type StationRow, stationStore } from './station.store.ts';

export function stationRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'stations',
    noun: 'station',
    permission: { read: 'plant:read', write: 'plant:write' },
    schema: { item: Station, page: StationPage, body: StationBody, query: ListStations },
    ...tenantCollection({ ...stationStore, remove, toWire, check }),
  });
}

async function check(_transaction: TenantTransaction, { timeZone }: StationBody): Promise<void> {
  if (timeZone !== undefined && !isZone(timeZone))
    throw invalid('/timeZone', `${timeZone} is not an IANA time zone`);
}

async function remove(transaction: TenantTransaction, id: number): Promise<void> {
  const account = await findAccountOfStation(transaction, id);
  if (account !== undefined) throw new ProblemError('conflict', `${account} is bound to station ${id}`);
  await stationStore.remove(transaction, id);
}

function toWire({ id, name, localizedName, timeZone, lastChange }: StationRow): Station {
  return { id, name, localizedName, timeZone, lastChange: formatUtc(lastChange) };
}
