import type { References } from '../../escalations/references.ts';
import type { Callable } from '../../plant/action.wire.ts';
import type { Actor } from './alarm-command.ts';
import type { AlarmRecord } from './alarm-record.ts';

type Named = { has(id: number): boolean };

/** The rows that the actor may name. Rows of other stations are treated as if they did not exist. */
export type VisibleReferences = {
  /** All stations: those that the actor may not act on have been refused before. */
  readonly stations: Named;
  readonly dataServers: Named;
  readonly tagGroups: Named;
  /** Undefined for an actor who sees all stations: a missing row may be added later. */
  readonly actions: Callable | undefined;
};

/**
 * The rows of the batch's references that the actor may name. Rows that the tag's definition names already are included,
 * so that a source can send the same body again after somebody else has changed the definition.
 */
export function visibleReferences(
  references: References,
  { stationIds }: Actor,
  known: AlarmRecord | undefined,
): VisibleReferences {
  const { timeZones, dataServerNames, tagGroups } = references;
  if (stationIds === undefined)
    return { stations: timeZones, dataServers: dataServerNames, tagGroups, actions: undefined };
  const isOwn = (stationId: number | null | undefined) =>
    stationId === null || (stationId !== undefined && stationIds.includes(stationId));
  const isKnown = known !== undefined && isOwn(known.definition.stationId);
  return {
    stations: timeZones,
    dataServers: { has: (id) => dataServerNames.has(id) && (isKnown || isOwn(homeOf(references, id))) },
    tagGroups: {
      has: (id) => (isKnown && known.definition.tagGroupId === id) || isOwn(tagGroups.get(id)?.stationId),
    },
    actions: visibleActions(references, isOwn),
  };
}

function homeOf({ dataServerStations }: References, dataServerId: number): number | null {
  return dataServerStations.get(dataServerId) ?? null;
}

function visibleActions(
  { callGroups, scenarioStations, users }: References,
  isOwn: (stationId: number | null | undefined) => boolean,
): Callable {
  return {
    CallGroup: { has: (id) => isOwn(callGroups.get(id)) },
    Scenario: { has: (id) => isOwn(scenarioStations.get(id)) },
    CallUser: {
      has: (id) => {
        const stationIds = users.get(id);
        return stationIds !== undefined && (stationIds.length === 0 || stationIds.some(isOwn));
      },
    },
  };
}
