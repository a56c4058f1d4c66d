import { callGroupKind, groupingKind } from './call-group-kind.ts';
import { channelKind } from './channel-kind.ts';
import type { Kind, Section } from './kind.ts';
import { personKind } from './person-kind.ts';
import { dataServerKind, stationKind, tagGroupKind } from './plant-objects.ts';
import { scenarioKind } from './scenario-kind.ts';
import { tagKind } from './tag-kind.ts';

export const kinds: Readonly<Record<Section, Kind>> = {
  stations: stationKind,
  dataServers: dataServerKind,
  channels: channelKind,
  people: personKind,
  groupings: groupingKind,
  callGroups: callGroupKind,
  scenarios: scenarioKind,
  tagGroups: tagGroupKind,
  tags: tagKind,
};
