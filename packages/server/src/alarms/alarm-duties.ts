import { type CallMessage, codeOf } from '@tocsin/domain';
import type { AlarmOccasion, CallDirectory } from '../duties/call-directory.ts';
import type { DutyDraft } from '../duties/duty.store.ts';
import { planTurn } from '../duties/plan-turn.ts';
import type { AlarmBatch } from './alarm-batch.ts';
import type { AlarmRecord, TagDefinition, Turn } from './alarm-record.ts';

/** What happened in a batch and may ask for something: most alarms call nobody, and nothing is worked out for those. */
export type ActingTurns = {
  turns: AlarmBatch['turns'];
  /** Alarms still there when their mask ended: consoles hear of them as of new ones. */
  reannounced: AlarmBatch['turns'];
};

export function actingTurns({ turns, entries, records }: AlarmBatch): ActingTurns {
  const reannounced = entries
    .filter(({ kind, announce }) => announce && kind === 'unmasked')
    .flatMap(({ tagId }) => records.get(tagId) ?? [])
    .map((record) => ({ occasion: 'raised' as const, record }));
  return { turns: turns.filter(mayAct), reannounced: reannounced.filter(mayAct) };
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
export function callableTurn({ definition }: AlarmRecord, occasion: AlarmOccasion) {
  const { actions } = turnOf(definition, occasion);
  return {
    occasion,
    actions,
    // One rule for calling, lists and histories: whoever has alarm actions of his own does not follow the tag group.
    tagGroupId: definition.alarm.actions.length === 0 ? definition.tagGroupId : null,
    priority: definition.priority,
    delaySeconds: definition.alarmDelay,
    transitory: definition.transitory,
    message: messageOf(definition, occasion),
  };
}

function messageOf(definition: TagDefinition, occasion: AlarmOccasion): CallMessage {
  const { message, shortMessage, vocalMessageFile, attachedFile } = turnOf(definition, occasion);
  return {
    text: message || definition.alarm.message || definition.localizedName,
    shortText: shortMessage,
    number: codeOf(shortMessage),
    audio: vocalMessageFile,
    file: attachedFile,
  };
}

function turnOf({ alarm, reset, ack }: TagDefinition, occasion: AlarmOccasion): Turn {
  return { raised: alarm, reset, acknowledged: ack }[occasion];
}
