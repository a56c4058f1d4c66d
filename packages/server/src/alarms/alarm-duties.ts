import { type CallMessage, codeOf, fillFormat, formatInZone } from '@tocsin/domain';
import type { AlarmOccasion, CallDirectory } from '../duties/call-directory.ts';
import type { DutyDraft } from '../duties/duty.store.ts';
import { planTurn } from '../duties/plan-turn.ts';
import type { AlarmBatch } from './alarm-batch.ts';
import { callsByItself } from './alarm-reach.ts';
import type { AlarmRecord, TagDefinition, Turn } from './alarm-record.ts';

/** What happened in a batch and may ask for something: most alarms call nobody, and nothing is worked out for those. */
export type ActingTurns = {
  /** Without alarms that are announced again because their mask ended: their duties are still there. */
  turns: AlarmBatch['turns'];
  /** Those included: consoles hear of them as of new ones. */
  heard: AlarmBatch['turns'];
};

export function actingTurns({ turns }: AlarmBatch): ActingTurns {
  const heard = turns.filter(mayAct);
  return { turns: heard.filter(({ isReannounced }) => !isReannounced), heard };
}

function mayAct({ occasion, record: { definition } }: AlarmBatch['turns'][number]): boolean {
  return definition.tagGroupId !== null || turnOf(definition, occasion).actions.length > 0;
}

/** Whom to call for what happened in the batch, frozen now. */
export function dutiesOf({ turns }: ActingTurns, directory: CallDirectory): DutyDraft[] {
  return turns.flatMap(({ occasion, record }) => {
    const plan = planTurn(directory, callableTurn(record, occasion));
    if (!plan) return [];
    const { tagId, definition, standing } = record;
    const { occurrenceId } = standing;
    return { tagId, occurrenceId, callId: null, stationId: definition.stationId, plan };
  });
}

/** The turn as call plans are made from it. */
export function callableTurn(record: AlarmRecord, occasion: AlarmOccasion) {
  const { definition } = record;
  const { actions } = turnOf(definition, occasion);
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
  const { message, format, shortMessage, vocalMessageFile, attachedFile } = turnOf(definition, occasion);
  const plain = message || definition.alarm.message || definition.localizedName;
  return {
    // A format that comes to nothing must not leave people with an empty message.
    text: (format && formatted(record, occasion, plain).trim()) || plain,
    shortText: shortMessage,
    number: codeOf(shortMessage),
    audio: vocalMessageFile,
    file: attachedFile,
  };
}

function formatted(
  { definition, standing, dataServerName, timeZone }: AlarmRecord,
  occasion: AlarmOccasion,
  message: string,
): string {
  const { format, shortMessage } = turnOf(definition, occasion);
  const at = occasion === 'raised' ? standing.raisedAt : standing.lastChange;
  return fillFormat(format, {
    name: definition.localizedName,
    path: definition.path,
    message,
    shortMessage,
    priority: String(definition.priority),
    value: standing.value,
    dataServer: dataServerName,
    time: formatInZone(timeZone, at).slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' '),
  });
}

function turnOf({ alarm, reset, ack }: TagDefinition, occasion: AlarmOccasion): Turn {
  return { raised: alarm, reset, acknowledged: ack }[occasion];
}
