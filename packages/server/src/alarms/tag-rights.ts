import type { RaiseAlarm } from '@tocsin/contract';
import { isActive } from '@tocsin/domain';
import type { Binding } from '../http/principal.ts';
import { ProblemError } from '../problem.ts';
import { systemFolder } from './action-alarm.ts';
import { type Actor, tagOwnerOf } from './alarm-command.ts';
import type { AlarmRecord } from './alarm-record.ts';
import type { MemberChange } from './definition-change.ts';

/** What an actor may change of a tag. Everybody who may send alarms may raise every tag. */
export type TagRights = {
  /** Everything that the definition says. */
  define: boolean;
  message: boolean;
  /** The value and the location of the current occurrence. */
  report: boolean;
  reset: boolean;
  /** Whether it acts as a stranger, without any rights on the tag but those on an occurrence that it raised. */
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

/** The right that each member of a post needs on a known tag. A member without a rule does not compile. */
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

/** Several strangers have raised the occurrence: none of them may reset it. */
const severalStrangers = '*';

/** What the actor may change of a known tag. */
export function rightsOn(record: AlarmRecord, actor: Actor): TagRights {
  const { definition, standing, createdBy } = record;
  const owner = tagOwnerOf(actor);
  const isSystemTag = definition.path.startsWith(systemFolder);
  const isBoundHere = isBoundTo(actor, definition);
  const isOwn = createdBy === owner;
  if (actor.mayDefine || (!isSystemTag && holdsPlace(record, { isOwn, isBoundHere }))) return allRights;
  const isSource = !isSystemTag && (isOwn || isBoundHere || createdBy === null);
  if (isSource || actor.mayAct)
    return { define: false, message: isSource, report: true, reset: true, isStranger: false };
  const isOwnOccurrence = isActive(standing.state) && standing.raisedBy === owner;
  return { define: false, message: false, report: isOwnOccurrence, reset: isOwnOccurrence, isStranger: true };
}

/** Whether the definition is the actor's: as its creator, or since it yields to whoever has a right to the place. */
function holdsPlace(
  { provisional }: AlarmRecord,
  { isOwn, isBoundHere }: { isOwn: boolean; isBoundHere: boolean },
): boolean {
  return provisional ? isOwn || isBoundHere : isOwn && isBoundHere;
}

/** Whether a tag that the actor creates yields to the first who has a right to its place. */
export function isProvisional(actor: Actor, place: { dataServerId: number; path: string }): boolean {
  return !actor.mayDefine && !isBoundTo(actor, place);
}

/**
 * The record after the actor has changed its definition. Who has a right to the place takes a provisional one over: a
 * key that was there first cannot keep it from its true source. To an engineer the creator loses the definition only.
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

/** The stranger to whom the occurrence belongs after the actor has raised the alarm; null when to none. */
export function raiserAfter(
  { standing }: AlarmRecord,
  actor: Actor,
  { isStranger }: TagRights,
): string | null {
  if (!isStranger) return null;
  const owner = tagOwnerOf(actor);
  if (!isActive(standing.state) || standing.raisedBy === owner) return owner;
  return standing.raisedBy === null ? null : severalStrangers;
}

/** Where tags are that were sent without a path. */
export const generatedFolder = 'api/';

/**
 * Refuses what lies outside the places that an administrator has bound the actor to. A post without a path creates a tag
 * of its own and can harm nobody's: of it, and of later posts for that tag, only the data server counts.
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
