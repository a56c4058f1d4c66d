/** A call group as it was made: the checker's own idea of whom it calls, in which order and how often. */
export type GroupPolicy = {
  tenantId: number;
  id: number;
  mode: 'Sequential' | 'Broadcast' | 'Turnover';
  /** Who is on duty, in calling order, from when on; the last that has begun counts. Epoch milliseconds. */
  shifts: readonly { from: number; userIds: readonly number[] }[];
  ackTimeoutSeconds: number;
  /** Tries to reach a person in one turn. */
  attempts: number;
  cycles: number;
  /** 0 for none. */
  reliefGroupId: number;
};

/** Whom the tenants of a run call. */
export type CallPolicy = {
  groups: readonly GroupPolicy[];
  /** The call group of last resort, by tenant. */
  fallbackIds: ReadonlyMap<number, number>;
  /** The telephone of each person, by tenant and user. */
  numbers: ReadonlyMap<string, string>;
};

export function onDutyAt({ shifts }: GroupPolicy, at: number): readonly number[] {
  return shifts.findLast(({ from }) => from <= at)?.userIds ?? [];
}

/** The group, those that relieve it, and those of last resort, each once. */
export function stagesOf(
  { groups, fallbackIds }: CallPolicy,
  tenantId: number,
  groupId: number,
): GroupPolicy[] {
  const byId = new Map(
    groups.filter((group) => group.tenantId === tenantId).map((group) => [group.id, group]),
  );
  const stages = new Map<number, GroupPolicy>();
  for (const first of [groupId, fallbackIds.get(tenantId) ?? 0])
    for (let group = byId.get(first); group && !stages.has(group.id); group = byId.get(group.reliefGroupId))
      stages.set(group.id, group);
  return [...stages.values()];
}
