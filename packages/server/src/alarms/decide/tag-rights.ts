import type { RaiseAlarm } from '@tocsin/contract';
import { isActive } from '@tocsin/domain';
import { ProblemError } from '../../common/problem.ts';
import type { Binding } from '../../http/principal.ts';
import { systemFolder } from './action-alarm.ts';
import { type Actor, tagOwnerOf } from './alarm-command.ts';
import type { AlarmRecord } from './alarm-record.ts';
import type { MemberChange } from './definition-change.ts';

/** The rights of an actor on a tag. Every actor who may send alarms may raise every tag. */
export type TagRights = {
  /** All members of the definition. */
  define: boolean;
  message: boolean;
  /** The value and the location of the current occurrence. */
  report: boolean;
  reset: boolean;
  /** Whether the actor is a stranger: its only rights are those on an occurrence that it raised. */
  isStranger: boolean;
};

export const allRights: TagRights = {
  define: true,
  message: true,
  report: true,
  reset: true,
  isStranger: false,
};

type Need = Exclude<keyof TagRights, 'isStranger'> | 'nothing';

/** The right on an existing tag that each member of a post needs. A member without a rule does not compile. */
export const memberNeeds: Readonly<Record<keyof RaiseAlarm, Need>> = {
  dataServerId: 'nothing',
  path: 'nothing',
  // Needs a right only to reset: see `signalOfPost`.
  raised: 'nothing',
  value: 'report',
  location: 'report',
  alarmMessage: 'message',
  resetMessage: 'message',
  ackMessage: 'message',
  stationId: 'define',
  tagGroupId: 'define',
  priority: 'define',
  temporary: 'define',
  eventCondition: 'define',
  alarmDelay: 'define',
  alarmFormat: 'define',
  alarmShortMessage: 'define',
  alarmVocalMessageFile: 'define',
  alarmAttachedFile: 'define',
  alarmActions: 'define',
  resetFormat: 'define',
  resetShortMessage: 'define',
  resetVocalMessageFile: 'define',
  resetAttachedFile: 'define',
  resetActions: 'define',
  ackFormat: 'define',
  ackShortMessage: 'define',
  ackVocalMessageFile: 'define',
  ackAttachedFile: 'define',
  ackActions: 'define',
};

/** Stands for several strangers who raised the occurrence: none of them may reset it. */
const severalStrangers = '*';

/** The actor's rights on an existing tag. */
export function rightsOn(record: AlarmRecord, actor: Actor): TagRights {
  const { definition, status, createdBy } = record;
  const owner = tagOwnerOf(actor);
  const isSystemTag = definition.path.startsWith(systemFolder);
  const isBoundHere = isBoundTo(actor, definition);
  const isOwn = createdBy === owner;
  if (actor.mayDefine || (!isSystemTag && holdsPlace(record, { isOwn, isBoundHere }))) return allRights;
  const isSource = !isSystemTag && (isOwn || isBoundHere || createdBy === null);
  if (isSource || actor.mayAct)
    return { define: false, message: isSource, report: true, reset: true, isStranger: false };
  const isOwnOccurrence = isActive(status.state) && status.raisedBy === owner;
  return { define: false, message: false, report: isOwnOccurrence, reset: isOwnOccurrence, isStranger: true };
}

/** Whether the actor owns the definition: as its creator, or by a right to the place of a provisional one. */
function holdsPlace(
  { provisional }: AlarmRecord,
  { isOwn, isBoundHere }: { isOwn: boolean; isBoundHere: boolean },
): boolean {
  return provisional ? isOwn || isBoundHere : isOwn && isBoundHere;
}

/** Whether an actor with a right to the place may take over a tag that this actor creates. */
export function isProvisional(actor: Actor, place: { dataServerId: number; path: string }): boolean {
  return !actor.mayDefine && !isBoundTo(actor, place);
}

/**
 * The record after the actor has changed its definition. An actor with a right to the place becomes the owner of a
 * provisional tag, so that a key that was there first cannot keep it. An engineer only ends the provisional status.
 */
export function takeOver(
  changed: AlarmRecord,
  actor: Actor,
  change: readonly MemberChange[] | undefined,
): AlarmRecord {
  const owner = tagOwnerOf(actor);
  if (!change || !changed.provisional || changed.createdBy === owner) return changed;
  if (isBoundTo(actor, changed.definition)) return { ...changed, createdBy: owner, provisional: false };
  return actor.mayDefine ? { ...changed, provisional: false } : changed;
}

/** The stranger that owns the occurrence after the actor has raised the alarm; null if none does. */
export function raiserAfter({ status }: AlarmRecord, actor: Actor, { isStranger }: TagRights): string | null {
  if (!isStranger) return null;
  const owner = tagOwnerOf(actor);
  if (!isActive(status.state) || status.raisedBy === owner) return owner;
  return status.raisedBy === null ? null : severalStrangers;
}

/** The folder of tags that were sent without a path. */
export const generatedFolder = 'api/';

/**
 * Refuses places outside those that an administrator has bound the actor to. A post without a path creates a new tag, which
 * cannot affect existing ones: for it, and for later posts for that tag, only the data server is checked.
 */
export function requireBinding(
  actor: Actor,
  { dataServerId, path = '' }: { dataServerId: number; path?: string | undefined },
  known: AlarmRecord | undefined,
): void {
  const { binding, name } = actor;
  if (binding === undefined) return;
  const { dataServerIds, pathPrefixes } = binding;
  const isOwnPath = path.startsWith(generatedFolder) && known?.createdBy === tagOwnerOf(actor);
  const bound = path === '' || isOwnPath ? { dataServerIds, pathPrefixes: [] } : binding;
  if (isWithin(bound, { dataServerId, path })) return;
  const servers = dataServerIds.length > 0 ? `data servers ${dataServerIds.join(', ')}` : '';
  const prefixes = pathPrefixes.length > 0 ? `paths that begin with ${pathPrefixes.join(', ')}` : '';
  const places = [servers, prefixes].filter((part) => part !== '').join(' and ');
  throw new ProblemError('not-allowed', `${name} is bound to ${places}`);
}

function isBoundTo({ binding }: Actor, place: { dataServerId: number; path: string }): boolean {
  return binding !== undefined && isWithin(binding, place);
}

function isWithin(
  { dataServerIds, pathPrefixes }: Binding,
  { dataServerId, path }: { dataServerId: number; path: string },
): boolean {
  return (
    (dataServerIds.length === 0 || dataServerIds.includes(dataServerId)) &&
    (pathPrefixes.length === 0 || pathPrefixes.some((prefix) => path.startsWith(prefix)))
  );
}
