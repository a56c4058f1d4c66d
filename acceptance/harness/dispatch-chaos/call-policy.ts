/** A call group as the run created it, from which the checker derives the expected calls. */
export type GroupPolicy = {
  tenantId: number;
  id: number;
  mode: 'Sequential' | 'Broadcast' | 'Turnover';
  /** Users on duty, in calling order, from a time on (epoch milliseconds); the last shift that has begun applies. */
  shifts: readonly { from: number; userIds: readonly number[] }[];
  ackTimeoutSeconds: number;
  /** Attempts to reach a person in one step. */
  attempts: number;
  cycles: number;
  /** 0 for none. */
  reliefGroupId: number;
};

/** The call groups, fallback groups and telephones of a run. */
export type CallPolicy = {
  groups: readonly GroupPolicy[];
  /** The call group of last resort, by tenant. */
  fallbackIds: ReadonlyMap<number, number>;
  /** The telephone number of each user, by tenant and user. */
  numbers: ReadonlyMap<string, string>;
};

export function onDutyAt({ shifts }: GroupPolicy, at: number): readonly number[] {
  return shifts.findLast(({ from }) => from <= at)?.userIds ?? [];
}

/** The group, its relief groups and the fallback group, each once. */
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
