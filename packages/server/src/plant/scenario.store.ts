import type { Action, ScenarioBody } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import { createCollectionStore, type StoredRow } from '../postgres/collections/collection-store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { callGroupIdsOf, keptActions, storedActions } from './action.wire.ts';

export const scenarioStore = createCollectionStore({
  table: 'scenarios',
  kind: 'scenario',
  columns: [
    'id',
    'name',
    'localizedName',
    'stationId',
    'alarmActions',
    'resetActions',
    'ackActions',
    'version',
    'lastChange',
  ],
  filters: ['stationId'],
  toColumns: scenarioColumns,
});

export type ScenarioRow = StoredRow<typeof scenarioStore>;

/** The actions of all three occasions. */
export function actionsOfScenario({ alarmActions, resetActions, ackActions }: ScenarioRow): Action[] {
  return [alarmActions, resetActions, ackActions].flatMap((actions) => storedActions(actions));
}

/** The first tag whose actions name the scenario: no foreign key protects this reference. */
export async function findTagOfScenario(
  transaction: TenantTransaction,
  id: number,
): Promise<number | undefined> {
  const tag = await transaction
    .selectFrom('tags')
    .select('id')
    .where('tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`${id} = any(${sql.ref('scenarioIds')})`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return tag?.id;
}

function scenarioColumns({
  name,
  localizedName = name,
  stationId = 0,
  alarmActions = [],
  resetActions = [],
  ackActions = [],
}: ScenarioBody) {
  return {
    name,
    localizedName,
    searchText: searchText([name, localizedName]),
    stationId: stationId || null,
    alarmActions: JSON.stringify(keptActions(alarmActions)),
    resetActions: JSON.stringify(keptActions(resetActions)),
    ackActions: JSON.stringify(keptActions(ackActions)),
    callGroupIds: callGroupIdsOf([...alarmActions, ...resetActions, ...ackActions]),
  };
}
