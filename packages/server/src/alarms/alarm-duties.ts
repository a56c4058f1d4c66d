import { type CallMessage, codeOf } from '@tocsin/domain';
import type { AlarmOccasion, CallDirectory } from '../duties/call-directory.ts';
import type { DutyDraft } from '../duties/duty.store.ts';
import { planTurn } from '../duties/plan-turn.ts';
import type { AlarmBatch } from './alarm-batch.ts';
import type { AlarmRecord, TagDefinition, Turn } from './alarm-record.ts';

/** Whether anybody might have to be called for what happened in the batch. */
export function mayCall({ turns }: AlarmBatch): boolean {
  return turns.some(
    ({ occasion, record: { definition } }) =>
      definition.tagGroupId !== null || turnOf(definition, occasion).actions.length > 0,
  );
}

/** Whom to call for what happened in the batch, frozen now. */
export function dutiesOf({ turns }: AlarmBatch, directory: CallDirectory): DutyDraft[] {
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
    tagGroupId: definition.tagGroupId,
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
