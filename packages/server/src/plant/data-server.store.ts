import type { DataServerBody } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { createCollectionStore, type StoredRow } from '../postgres/collections/collection-store.ts';

export type DataServerRow = StoredRow<typeof dataServerStore>;

export const dataServerStore = createCollectionStore({
  table: 'dataServers',
  kind: 'data-server',
  columns: ['id', 'name', 'localizedName', 'stationId', 'version', 'lastChange'],
  filters: ['stationId'],
  toColumns: ({ name, localizedName = name, stationId = 0 }: DataServerBody) => ({
    name,
    localizedName,
    stationId: stationId || null,
    searchText: searchText([name, localizedName]),
  }),
});
