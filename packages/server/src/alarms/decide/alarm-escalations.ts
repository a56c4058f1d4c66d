import { type CallMessage, codeOf, fillFormat, formatInZone } from '@tocsin/domain';
import type { AlarmOccasion, CallDirectory } from '../../escalations/call-directory.ts';
import type { EscalationDraft } from '../../escalations/escalation-rows.store.ts';
import { planOccasion } from '../../escalations/plan-occasion.ts';
import type { AlarmBatch, BatchOccasion } from './alarm-batch.ts';
import { withNews } from './alarm-news.ts';
import { callsByItself } from './alarm-reach.ts';
import type { AlarmRecord, OccasionDefinition, TagDefinition } from './alarm-record.ts';

/** The occasions of a batch that may have actions. Most alarms have none, and need no call directory. */
export function actingOccasions({ occasions }: AlarmBatch): BatchOccasion[] {
  return occasions.filter(
    ({ occasion, record: { definition } }) =>
      definition.tagGroupId !== null ||
      definitionOf(definition, occasion).actions.length > 0 ||
      // Those who were called when it was raised may have to be told.
      definition.alarm.actions.length > 0,
  );
}

/**
 * The escalations that the occasions open, with the call plan as of now. Alarms that are announced again because their
 * mask ended still have theirs.
 */
export function escalationsOf(
  occasions: readonly BatchOccasion[],
  directory: CallDirectory,
): EscalationDraft[] {
  return occasions.flatMap(({ occasion, record, isReannounced, traceParent }) => {
    if (isReannounced) return [];
    const plan = withNews(directory, record, {
      occasion,
      plan: planOccasion(directory, callableOccasion(record, occasion)),
      raise: () => callableOccasion(record, 'raised'),
    });
    if (!plan) return [];
    const { tagId, definition, status } = record;
    const { occurrenceId } = status;
    return { tagId, occurrenceId, callId: null, stationId: definition.stationId, plan, traceParent };
  });
}

/** The occasion as call plans are made from it. */
export function callableOccasion(record: AlarmRecord, occasion: AlarmOccasion) {
  const { definition } = record;
  const { actions } = definitionOf(definition, occasion);
  return {
    occasion,
    actions,
    tagGroupId: definition.tagGroupId,
    callsByItself: callsByItself(definition),
    priority: definition.priority,
    delaySeconds: definition.alarmDelay,
    transitory: definition.transitory,
    message: messageOf(record, occasion),
  };
}

function messageOf(record: AlarmRecord, occasion: AlarmOccasion): CallMessage {
  const { definition } = record;
  const { message, format, shortMessage, vocalMessageFile, attachedFile } = definitionOf(
    definition,
    occasion,
  );
  const plain = message || definition.alarm.message || definition.localizedName;
  return {
    // A format that gives an empty text must not lead to an empty message.
    text: (format && formatted(record, occasion, plain).trim()) || plain,
    shortText: shortMessage,
    number: codeOf(shortMessage),
    audio: vocalMessageFile,
    file: attachedFile,
  };
}

function formatted(
  { definition, status, dataServerName, stationName, timeZone }: AlarmRecord,
  occasion: AlarmOccasion,
  message: string,
): string {
  const { format, shortMessage } = definitionOf(definition, occasion);
  const at = occasion === 'raised' ? status.raisedAt : status.lastChange;
  return fillFormat(format, {
    name: definition.localizedName,
    path: definition.path,
    message,
    shortMessage,
    priority: String(definition.priority),
    value: status.value,
    dataServer: dataServerName,
    station: stationName,
    time: formatInZone(timeZone, at).slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' '),
  });
}

function definitionOf({ alarm, reset, ack }: TagDefinition, occasion: AlarmOccasion): OccasionDefinition {
  return { raised: alarm, reset, acknowledged: ack }[occasion];
}
