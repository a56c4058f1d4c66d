import type { Exported } from '../../apply/export-plant.ts';
import type { Entry } from '../../plant/kind.ts';

/** Seconds in which a person who was woken can answer. The demo waits less, so that one can watch. */
const realWaits = { ackTimeout: 180, attempts: 2, cycles: 2 };

/**
 * The plant of the demo without what belongs to the demo: its telephones, the account of the visitor, the password files, and
 * the short waits of its call groups.
 */
export function realPlant(plant: Exported, visitor: string): Exported {
  const { channels: _, people = [], callGroups = [], ...others } = plant;
  return {
    ...others,
    people: people.filter(({ username }) => username !== visitor).map(withoutPassword),
    callGroups: callGroups.map(withRealWaits),
  };
}

const withRealWaits = (group: Entry): Entry => ({ ...group, ...realWaits });

function withoutPassword(person: Entry): Entry {
  return Object.fromEntries(Object.entries(person).filter(([name]) => name !== 'passwordFile'));
}
