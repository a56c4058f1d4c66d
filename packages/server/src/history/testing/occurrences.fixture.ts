import { searchText } from '@tocsin/domain';
import { stationStore } from '../../plant/station.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** What a test says of a tag; the rest does not matter to histories. */
type GivenTag = {
  id: number;
  name?: string;
  path?: string;
  priority?: number;
  message?: string;
  shortMessage?: string;
};

type Time = string | Date;

/** What a test says of an occurrence: raised once, the rest as it likes. */
export type GivenOccurrence = {
  id: number;
  raised: Time;
  tagId?: number;
  acknowledged?: Time | undefined;
  /** The user who acknowledged. */
  by?: number | undefined;
  reset?: Time | undefined;
  stationId?: number;
  dataServerId?: number;
  tagGroupId?: number | undefined;
  callGroupIds?: number[];
  priority?: number;
  message?: string;
  comment?: string;
};

/** Rows written as they lie in the tables, so that histories are tested without the way alarms take. */
export type PlantPast = {
  tags?: GivenTag[];
  occurrences?: GivenOccurrence[];
  tagGroups?: { id: number; parentId?: number | undefined }[];
  users?: { id: number; name: string }[];
};

export function givePast(runtime: Runtime, past: PlantPast, tenantId = 1): Promise<void> {
  return inTenant(runtime.database, tenantId, (transaction) => writePast(transaction, past));
}

export async function writePast(transaction: TenantTransaction, past: PlantPast): Promise<void> {
  const { tenantId, now: lastChange } = transaction;
  const { tags = [], occurrences = [], tagGroups = [], users = [] } = past;
  if (tagGroups.length > 0) {
    const rows = tagGroups.map(({ id, parentId = null }) => {
      const name = `Group ${id}`;
      return {
        tenantId,
        id,
        name,
        localizedName: name,
        searchText: searchText([name]),
        parentId,
        lastChange,
      };
    });
    await transaction.insertInto('tagGroups').values(rows).execute();
  }
  if (users.length > 0) {
    const rows = users.map(({ id, name }) => {
      const username = `${tenantId}-${name}`;
      return { tenantId, id, username, name, searchText: searchText([name]), role: 'operator', lastChange };
    });
    await transaction.insertInto('users').values(rows).execute();
  }
  if (tags.length > 0) {
    await transaction
      .insertInto('tags')
      .values(tags.map((tag) => tagRow(tenantId, tag)))
      .execute();
  }
  if (occurrences.length === 0) return;
  await transaction
    .insertInto('texts')
    .values(occurrences.map((occurrence) => textRow(tenantId, occurrence, tags)))
    .execute();
  await transaction
    .insertInto('occurrences')
    .values(occurrences.map((occurrence) => occurrenceRow(tenantId, occurrence)))
    .execute();
  const status = latestOccurrences(occurrences).map((occurrence) => alarmRow(tenantId, occurrence));
  await transaction.insertInto('alarms').values(status).execute();
  await transaction.client.query('select rebuild_roll_ups()');
}

/** The last occurrence of each tag: the only one that can still be active. */
function latestOccurrences(occurrences: readonly GivenOccurrence[]): GivenOccurrence[] {
  const rising = occurrences.toSorted((one, other) => one.id - other.id);
  return [...new Map(rising.map((occurrence) => [occurrence.tagId ?? 1, occurrence])).values()];
}

function alarmRow(tenantId: number, { id, raised, tagId = 1, reset, acknowledged }: GivenOccurrence) {
  const at = new Date(raised);
  return {
    tenantId,
    tagId,
    state: (reset === undefined ? 1 : 0) + (acknowledged === undefined ? 2 : 0),
    value: '',
    raisedAt: at,
    lastChange: at,
    occurrenceId: id,
    repeats: 0,
    ackUser: '',
    comment: '',
    searchText: '',
  };
}

export function addStation(runtime: Runtime, name: string, timeZone: string): Promise<number> {
  return inTenant(runtime.database, 1, (transaction) => stationStore.insert(transaction, { name, timeZone }));
}

const quietTag = {
  stationId: 1,
  dataServerId: 1,
  tagGroupId: null,
  temporary: false,
  conditionValue: '',
  transitory: false,
  reactivatable: false,
  resettable: true,
  alarmDelay: 0,
  alarmFormat: '',
  alarmVocalMessageFile: '',
  alarmAttachedFile: '',
  alarmActions: '[]',
  resetMessage: '',
  resetFormat: '',
  resetShortMessage: '',
  resetVocalMessageFile: '',
  resetAttachedFile: '',
  resetActions: '[]',
  ackMessage: '',
  ackFormat: '',
  ackShortMessage: '',
  ackVocalMessageFile: '',
  ackAttachedFile: '',
  ackActions: '[]',
  callGroupIds: [],
  scenarioIds: [],
};

function tagRow(tenantId: number, tag: GivenTag) {
  const { id, path = `P${id}`, name = path, priority = 1, message = '', shortMessage = '' } = tag;
  return {
    ...quietTag,
    tenantId,
    id,
    path,
    name,
    localizedName: name,
    priority,
    alarmMessage: message,
    alarmShortMessage: shortMessage,
    searchText: searchText([path, name, message]),
  };
}

/** One text each; that the server keeps equal ones once makes no difference to who reads them. */
function textRow(tenantId: number, occurrence: GivenOccurrence, tags: readonly GivenTag[]) {
  const { id, tagId = 1, message = '', comment = '' } = occurrence;
  const { path = `P${tagId}`, name = path } = tags.find((tag) => tag.id === tagId) ?? {};
  const found = searchText([path, name, message, comment]);
  const { stationId = 1, dataServerId = 1, tagGroupId = null, callGroupIds = [] } = occurrence;
  const belongs = { stationId, dataServerId, tagGroupId, callGroupIds };
  return { tenantId, id, tagId, digest: String(id), message, comment, searchText: found, ...belongs };
}

function occurrenceRow(tenantId: number, occurrence: GivenOccurrence) {
  const { id, raised, tagId = 1, acknowledged, by, reset, priority = 1 } = occurrence;
  return {
    tenantId,
    id,
    tagId,
    priority,
    textId: id,
    raisedAt: new Date(raised),
    acknowledgedAt: acknowledged === undefined ? null : new Date(acknowledged),
    ackUserId: by ?? null,
    resetAt: reset === undefined ? null : new Date(reset),
    repeats: 0,
  };
}
