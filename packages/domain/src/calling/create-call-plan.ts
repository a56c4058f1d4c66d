import type { AlarmOccasion, CallMessage, CallPlan, Person, Stage, Target } from './call-plan.ts';
import { reliefChain } from './relief-chain.ts';

/** An action of an alarm; only some types call people. */
export type CallAction = { type: string; id?: number | undefined };

/** A call group at the creation of a plan. */
export type GroupEntry = Omit<Stage, 'groupId' | 'role'> & {
  id: number;
  /** 0 for none. */
  reliefGroupId: number;
};

/** The tenant's call groups, people and scenarios. */
export type Directory = {
  groups: ReadonlyMap<number, GroupEntry>;
  people: ReadonlyMap<number, Person>;
  /** By scenario, its actions for the occasion. */
  scenarios: ReadonlyMap<number, readonly CallAction[]>;
  /** Called last; 0 for none. */
  fallbackGroupId: number;
};

export type CallOccasion = {
  occasion: AlarmOccasion;
  actions: readonly CallAction[];
  priority: number;
  delaySeconds: number;
  transitory: boolean;
  message: CallMessage;
};

/** Settings of a stage for a single user, who has no call group to define them. */
const userStage = {
  mode: 'Sequential',
  rostered: false,
  ackTimeoutSeconds: 120,
  attempts: 3,
  cycles: 3,
} as const;
/** The minimum of fire alarm practice. */
const requestAttempts = 5;

/**
 * The plan for one occasion of an alarm, or undefined when its actions call nobody. Only a raise waits for an
 * acknowledgment and may end at the fallback group. A reset or an acknowledgment is announced once, without delay.
 */
export function createCallPlan(directory: Directory, call: CallOccasion): CallPlan | undefined {
  const { occasion, priority, message } = call;
  const isRaise = occasion === 'raised';
  const targets = targetsOf(directory, resolveActions(directory, call.actions), isRaise);
  if (targets.length === 0) return undefined;
  return {
    format: 1,
    occasion,
    until: isRaise ? 'acknowledged' : 'reached',
    priority,
    delaySeconds: isRaise ? call.delaySeconds : 0,
    outlivesReset: call.transitory,
    targets,
    people: peopleOf(directory, targets),
    message,
  };
}

/** The plan for a request: everybody named is called, on duty or not, until they are reached or out of tries. */
export function createRequestPlan(
  people: ReadonlyMap<number, Person>,
  {
    groups,
    priority,
    message,
  }: { groups: readonly RequestedGroup[]; priority: number; message: CallMessage },
): CallPlan {
  const named = new Set<number>();
  const targets = groups.map(({ groupId, userIds }) => {
    const once = [...new Set(userIds)].filter((userId) => !named.has(userId));
    for (const userId of once) named.add(userId);
    return { stages: [{ ...requestStage, groupId, userIds: once }] };
  });
  return {
    format: 1,
    occasion: 'requested',
    until: 'reached',
    priority,
    delaySeconds: 0,
    outlivesReset: true,
    targets: targets.filter(({ stages }) => stages.some(({ userIds }) => userIds.length > 0)),
    people: [...named].flatMap((userId) => plannedPerson(people.get(userId))),
    message,
  };
}

/** `groupId` is 0 for users who were named one by one. */
export type RequestedGroup = { groupId: number; userIds: readonly number[] };

const requestStage = {
  role: 'first',
  mode: 'Broadcast',
  rostered: false,
  ackTimeoutSeconds: 120,
  attempts: requestAttempts,
  cycles: 1,
} as const;

/** Replaces scenarios, which do not nest, by their actions. A group or user named twice is called once. */
function resolveActions({ scenarios }: Directory, actions: readonly CallAction[]): CallAction[] {
  const plain = actions.flatMap((action) =>
    action.type === 'Scenario' ? (scenarios.get(action.id ?? 0) ?? []) : [action],
  );
  const calling = plain.filter(({ type, id }) => id && (type === 'CallGroup' || type === 'CallUser'));
  return [...new Map(calling.map((action) => [`${action.type} ${action.id}`, action])).values()];
}

function targetsOf(directory: Directory, actions: readonly CallAction[], isRaise: boolean): Target[] {
  const { fallbackGroupId } = directory;
  return actions.map(({ type, id = 0 }) => {
    const first = type === 'CallUser' ? [singleUser(id)] : reliefChain(directory, id, 'first');
    const known = first.map(({ groupId }) => groupId);
    const last = isRaise && fallbackGroupId > 0 ? reliefChain(directory, fallbackGroupId, 'fallback') : [];
    return { stages: [...first, ...last.filter(({ groupId }) => !known.includes(groupId))] };
  });
}

function singleUser(userId: number): Stage {
  return { ...userStage, groupId: 0, role: 'first', userIds: [userId] };
}

function peopleOf({ people }: Directory, targets: readonly Target[]): Person[] {
  const userIds = targets.flatMap(({ stages }) => stages.flatMap((stage) => stage.userIds));
  return [...new Set(userIds)].flatMap((userId) => plannedPerson(people.get(userId)));
}

function plannedPerson(person: Person | undefined): Person[] {
  if (!person) return [];
  const { mediaRules: _mediaRules, ...planned } = person;
  return [planned];
}
