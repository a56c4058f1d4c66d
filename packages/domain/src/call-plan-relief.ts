import type { Stage } from './call-plan.ts';

type Group = Omit<Stage, 'groupId' | 'role'> & { id: number; reliefGroupId: number };

/**
 * A call group and those that relieve it, each once, whatever rings the groups form. A group that is gone leaves an
 * empty stage: it is noticed, and those behind it are called.
 */
export function reliefChain(
  { groups }: { groups: ReadonlyMap<number, Group> },
  groupId: number,
  role: 'first' | 'fallback',
): Stage[] {
  const chain: Stage[] = [];
  const seen = new Set<number>();
  for (let id = groupId; id > 0 && !seen.has(id); id = groups.get(id)?.reliefGroupId ?? 0) {
    seen.add(id);
    chain.push(stageOf(groups.get(id), id, role === 'first' && id !== groupId ? 'relief' : role));
  }
  return chain;
}

function stageOf(group: Group | undefined, groupId: number, role: Stage['role']): Stage {
  const { mode, userIds, rostered, ackTimeoutSeconds, attempts, cycles } = group ?? gone;
  return { groupId, role, mode, userIds: [...userIds], rostered, ackTimeoutSeconds, attempts, cycles };
}

const gone = {
  mode: 'Sequential',
  userIds: [],
  rostered: false,
  ackTimeoutSeconds: 120,
  attempts: 1,
  cycles: 1,
} as const;
