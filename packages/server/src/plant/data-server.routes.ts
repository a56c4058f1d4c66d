import { DataServer, DataServerBody, DataServerPage, ListByStation } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { collectionRoutes } from '../http/collection.routes.ts';
import { stationCollection } from '../http/collection-access.ts';
import type { HttpApp } from '../http/http-app.ts';
import { optionalReference, requireReferences } from '../postgres/collections/references.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { type DataServerRow, dataServerStore } from './data-server.store.ts';

export function dataServerRoutes(app: HttpApp, runtime: Runtime): void {
  collectionRoutes(app, runtime, {
    path: 'dataservers',
    noun: 'data server',
    permission: { read: 'plant:read', write: 'plant:write' },
    schema: { item: DataServer, page: DataServerPage, body: DataServerBody, query: ListByStation },
    ...stationCollection({
      ...dataServerStore,
      toWire,
      check: ({ transaction, principal: { stationIds } }, { stationId }: DataServerBody) =>
        requireReferences(transaction, 'stations', {
          references: optionalReference('/stationId', stationId),
          stationIds,
        }),
    }),
  });
}

function toWire({ id, name, localizedName, stationId, lastChange }: DataServerRow): DataServer {
  return { id, name, localizedName, stationId: stationId ?? 0, lastChange: formatUtc(lastChange) };
}
