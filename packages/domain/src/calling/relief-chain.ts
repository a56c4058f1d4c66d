import type { Stage } from './call-plan.ts';

type Group = Omit<Stage, 'groupId' | 'role'> & { id: number; reliefGroupId: number };

/**
 * A call group followed by its relief groups, each once, even if they form a ring. A deleted group becomes an empty
 * stage, so that its absence is reported and the next group is called.
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
  const { mode, userIds, rostered, ackTimeoutSeconds, attempts, cycles } = group ?? deletedGroup;
  return { groupId, role, mode, userIds: [...userIds], rostered, ackTimeoutSeconds, attempts, cycles };
}

const deletedGroup = {
  mode: 'Sequential',
  userIds: [],
  rostered: false,
  ackTimeoutSeconds: 120,
  attempts: 1,
  cycles: 1,
} as const;
