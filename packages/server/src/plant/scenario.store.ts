import type { Action, ListByStation, ScenarioBody } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import { idMatches, stationInScope } from '../postgres/filters.ts';
import { nextId } from '../postgres/next-id.ts';
import { readPage } from '../postgres/read-page.ts';
import { searchMatches } from '../postgres/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { callGroupIdsOf, keptActions, storedActions } from './action.wire.ts';
import type { StationScope } from './station-collection.ts';

export type ScenarioRow = {
  id: number;
  name: string;
  localizedName: string;
  stationId: number | null;
  alarmActions: unknown;
  resetActions: unknown;
  ackActions: unknown;
  version: number;
  lastChange: Date;
};

const columns = [
  'id',
  'name',
  'localizedName',
  'stationId',
  'alarmActions',
  'resetActions',
  'ackActions',
  'version',
  'lastChange',
] as const;

export async function listScenarios(
  transaction: TenantTransaction,
  { search, stationId, stationIds }: ListByStation & StationScope,
  page: PageRequest,
): Promise<{ rows: ScenarioRow[]; total: number }> {
  const query = transaction
    .selectFrom('scenarios')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where(searchMatches('searchText', search))
    .where(idMatches('stationId', stationId))
    .where(stationInScope('stationId', stationIds));
  return readPage(query, page);
}

export async function findScenario(
  transaction: TenantTransaction,
  id: number,
  { stationIds, forUpdate }: StationScope & { forUpdate: boolean },
): Promise<ScenarioRow | undefined> {
  const query = transaction
    .selectFrom('scenarios')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .where(stationInScope('stationId', stationIds));
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst();
}

/** All actions of a scenario, of its three occasions. */
export function actionsOfScenario({ alarmActions, resetActions, ackActions }: ScenarioRow): Action[] {
  return [alarmActions, resetActions, ackActions].flatMap((actions) => storedActions(actions));
}

/** The first tag whose actions name the scenario, which no foreign key guards. */
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

export async function insertScenario(transaction: TenantTransaction, body: ScenarioBody): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'scenario');
  await transaction
    .insertInto('scenarios')
    .values({ tenantId, id, ...scenarioColumns(body), lastChange: now })
    .execute();
  return id;
}

export async function updateScenario(
  transaction: TenantTransaction,
  id: number,
  body: ScenarioBody,
): Promise<void> {
  await transaction
    .updateTable('scenarios')
    .set(({ eb }) => ({
      ...scenarioColumns(body),
      version: eb('version', '+', 1),
      lastChange: transaction.now,
    }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteScenario(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('scenarios')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
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
