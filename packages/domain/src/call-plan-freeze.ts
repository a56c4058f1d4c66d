import type { CallMessage, CallPlan, Occasion, Person, Stage, Target } from './call-plan.ts';
import { reliefChain } from './call-plan-relief.ts';

/** An action as far as calling goes; other types call nobody. */
export type CallAction = { type: string; id?: number | undefined };

/** A call group as it is at the freeze. */
export type GroupEntry = Omit<Stage, 'groupId' | 'role'> & {
  id: number;
  /** 0 for none. */
  reliefGroupId: number;
};

/** What the plant knows of those who can be called. */
export type Directory = {
  groups: ReadonlyMap<number, GroupEntry>;
  people: ReadonlyMap<number, Person>;
  /** Of each scenario the actions for the turn in question. */
  scenarios: ReadonlyMap<number, readonly CallAction[]>;
  /** The tenant's last resort; 0 for none. */
  fallbackGroupId: number;
};

export type TurnToCall = {
  occasion: Exclude<Occasion, 'requested'>;
  actions: readonly CallAction[];
  priority: number;
  delaySeconds: number;
  transitory: boolean;
  message: CallMessage;
};

/** How a single user is called, whom no call group says it of. */
const userStage = {
  mode: 'Sequential',
  rostered: false,
  ackTimeoutSeconds: 120,
  attempts: 3,
  cycles: 3,
} as const;
/** Never fewer than fire alarm practice asks for. */
const requestAttempts = 5;

/**
 * The plan for one turn of an alarm, or undefined when its actions call nobody. Only a raise waits for an
 * acknowledgment and may end at the fallback group. A reset or an acknowledgment is news: it is told once, at once.
 */
export function freezeTurn(directory: Directory, turn: TurnToCall): CallPlan | undefined {
  const { occasion, priority, message } = turn;
  const isRaise = occasion === 'raised';
  const targets = targetsOf(directory, resolve(directory, turn.actions), isRaise);
  if (targets.length === 0) return undefined;
  return {
    format: 1,
    occasion,
    until: isRaise ? 'acknowledged' : 'reached',
    priority,
    delaySeconds: isRaise ? turn.delaySeconds : 0,
    outlivesReset: turn.transitory,
    targets,
    people: peopleOf(directory, targets),
    message,
  };
}

/** The plan for a request: everybody named, on duty or not, each until reached or out of tries. */
export function freezeRequest(
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
    people: [...named].flatMap((userId) => people.get(userId) ?? []),
    message,
  };
}

/** `groupId` 0 for users that were named one by one. */
export type RequestedGroup = { groupId: number; userIds: readonly number[] };

const requestStage = {
  role: 'first',
  mode: 'Broadcast',
  rostered: false,
  ackTimeoutSeconds: 120,
  attempts: requestAttempts,
  cycles: 1,
} as const;

/** Scenarios do not lie within scenarios, so one look is enough. Whoever is named twice is called once. */
function resolve({ scenarios }: Directory, actions: readonly CallAction[]): CallAction[] {
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
  return [...new Set(userIds)].flatMap((userId) => people.get(userId) ?? []);
}
