import { isMasked, isUnacknowledged } from '@tocsin/domain';
import type { AlarmOccasion, CallDirectory } from '../duties/call-directory.ts';
import {
  type CommandOrder,
  refusedByMask,
  refusedUntilUnmasked,
  type UnmaskedOccurrence,
} from '../duties/command-order.store.ts';
import { commandsOf, soundsOf, type TurnCommand, type TurnSound } from '../duties/turn-commands.ts';
import { type ActingTurns, callableTurn } from './alarm-duties.ts';
import type { AlarmRecord } from './alarm-record.ts';

/** A sound for the consoles that may see the alarm. */
export type AlarmSound = TurnSound & { alarmId: number; stationId: number; occasion: AlarmOccasion };

/** The programs that what happened in the batch asks for, in the order in which it happened. */
export function ordersOf({ heard }: ActingTurns, directory: CallDirectory): CommandOrder[] {
  const orders: CommandOrder[] = [];
  for (const turn of heard)
    orders.push(...(turn.isReannounced ? orderAgain(orders, turn.record) : newOrders(turn, directory)));
  return orders;
}

function newOrders({ occasion, record }: ActingTurns['heard'][number], directory: CallDirectory) {
  const { tagId, definition, standing } = record;
  const { occurrenceId } = standing;
  const { stationId, alarmDelay } = definition;
  const delaySeconds = occasion === 'raised' ? alarmDelay : 0;
  const cause = { tagId, occurrenceId, stationId, occasion, delaySeconds };
  const isSilenced = occasion === 'raised' && delaySeconds === 0 && isMasked(standing.state);
  return commandsOf(directory, callableTurn(record, occasion)).map((command) =>
    Object.assign(command, cause, { refusal: refusalOf(command, isSilenced) }),
  );
}

/** Orders what was refused in this very batch because of the mask that ends here; earlier ones are in the database. */
function orderAgain(orders: readonly CommandOrder[], { tagId, standing }: AlarmRecord): CommandOrder[] {
  if (!isUnacknowledged(standing.state)) return [];
  const refused = orders.filter(
    (order) =>
      order.tagId === tagId &&
      order.occurrenceId === standing.occurrenceId &&
      order.refusal === refusedByMask,
  );
  for (const order of refused) order.refusal = refusedUntilUnmasked;
  return refused.map((order) => Object.assign({}, order, { refusal: '' }));
}

/** Why a command is refused before any server looks at it. */
function refusalOf({ kind, grantedBy }: TurnCommand, isSilenced: boolean): string {
  if (grantedBy === '') return 'whoever defined it may not run commands';
  return isSilenced && kind === 'execute' ? refusedByMask : '';
}

/** The occurrences that are announced again because their mask ended, and that nobody has acknowledged. */
export function unmaskedOf({ heard }: ActingTurns): UnmaskedOccurrence[] {
  const again = heard.filter(
    ({ isReannounced, record: { standing } }) => isReannounced && isUnacknowledged(standing.state),
  );
  return again.map(({ record: { tagId, standing } }) => ({ tagId, occurrenceId: standing.occurrenceId }));
}

/** The sounds that what happened in the batch asks for. A masked alarm is raised in silence, and heard when that ends. */
export function alarmSoundsOf({ heard }: ActingTurns, directory: CallDirectory): AlarmSound[] {
  return heard.flatMap(({ occasion, record }) => {
    const { tagId: alarmId, definition, standing } = record;
    if (occasion === 'raised' && isMasked(standing.state)) return [];
    const cause = { alarmId, stationId: definition.stationId, occasion };
    return soundsOf(directory, callableTurn(record, occasion)).map((sound) => Object.assign(sound, cause));
  });
}
