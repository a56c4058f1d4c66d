import { isMasked } from '@tocsin/domain';
import type { AlarmOccasion, CallDirectory } from '../duties/call-directory.ts';
import type { CommandOrder } from '../duties/command-order.store.ts';
import { commandsOf, soundsOf, type TurnSound } from '../duties/turn-commands.ts';
import { type ActingTurns, callableTurn } from './alarm-duties.ts';

/** A sound for the consoles that may see the alarm. */
export type AlarmSound = TurnSound & { alarmId: number; stationId: number; occasion: AlarmOccasion };

/** The programs that what happened in the batch asks for. */
export function ordersOf({ turns }: ActingTurns, directory: CallDirectory): CommandOrder[] {
  return turns.flatMap(({ occasion, record }) => {
    const { tagId, definition, standing } = record;
    const { occurrenceId } = standing;
    const { stationId, alarmDelay } = definition;
    const delaySeconds = occasion === 'raised' ? alarmDelay : 0;
    const cause = { tagId, occurrenceId, stationId, occasion, delaySeconds };
    return commandsOf(directory, callableTurn(record, occasion)).map((command) =>
      Object.assign(command, cause),
    );
  });
}

/** The sounds that what happened in the batch asks for. A masked alarm is raised in silence, and heard when that ends. */
export function alarmSoundsOf({ turns, reannounced }: ActingTurns, directory: CallDirectory): AlarmSound[] {
  return [...turns, ...reannounced].flatMap(({ occasion, record }) => {
    const { tagId: alarmId, definition, standing } = record;
    if (occasion === 'raised' && isMasked(standing.state)) return [];
    const cause = { alarmId, stationId: definition.stationId, occasion };
    return soundsOf(directory, callableTurn(record, occasion)).map((sound) => Object.assign(sound, cause));
  });
}
