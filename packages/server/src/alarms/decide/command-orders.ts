import { isMasked, isUnacknowledged } from '@tocsin/domain';
import type { AlarmOccasion, CallDirectory } from '../../escalations/call-directory.ts';
import {
  type CommandOrder,
  refusedByMask,
  refusedUntilUnmasked,
  type UnmaskedOccurrence,
} from '../../escalations/command-order.store.ts';
import {
  commandsOf,
  type OccasionCommand,
  type OccasionSound,
  soundsOf,
} from '../../escalations/occasion-commands.ts';
import type { BatchOccasion } from './alarm-batch.ts';
import { callableOccasion } from './alarm-escalations.ts';
import type { AlarmRecord } from './alarm-record.ts';

/** A sound for the consoles that may see the alarm. */
export type AlarmSound = OccasionSound & { alarmId: number; stationId: number; occasion: AlarmOccasion };

/** The programs that the occasions of a batch run, in the order of the occasions. */
export function ordersOf(occasions: readonly BatchOccasion[], directory: CallDirectory): CommandOrder[] {
  const orders: CommandOrder[] = [];
  for (const one of occasions)
    orders.push(...(one.isReannounced ? orderAgain(orders, one.record) : newOrders(one, directory)));
  return orders;
}

function newOrders({ occasion, record }: BatchOccasion, directory: CallDirectory): CommandOrder[] {
  const { tagId, definition, status } = record;
  const { occurrenceId } = status;
  const { stationId, alarmDelay } = definition;
  const delaySeconds = occasion === 'raised' ? alarmDelay : 0;
  const cause = { tagId, occurrenceId, stationId, occasion, delaySeconds };
  const isSilenced = occasion === 'raised' && delaySeconds === 0 && isMasked(status.state);
  return commandsOf(directory, callableOccasion(record, occasion)).map((command) =>
    Object.assign(command, cause, { refusal: refusalOf(command, isSilenced) }),
  );
}

/** Orders again the programs of this batch that were refused because of the mask; `orderAgainUnmasked` does earlier ones. */
function orderAgain(orders: readonly CommandOrder[], { tagId, status }: AlarmRecord): CommandOrder[] {
  if (!isUnacknowledged(status.state)) return [];
  const refused = orders.filter(
    (order) =>
      order.tagId === tagId && order.occurrenceId === status.occurrenceId && order.refusal === refusedByMask,
  );
  for (const order of refused) order.refusal = refusedUntilUnmasked;
  return refused.map((order) => Object.assign({}, order, { refusal: '' }));
}

/** The reason to refuse a command at once; empty if there is none. */
function refusalOf({ kind, grantedBy }: OccasionCommand, isSilenced: boolean): string {
  if (grantedBy === '') return 'whoever defined it may not run commands';
  return isSilenced && kind === 'execute' ? refusedByMask : '';
}

/** The unacknowledged occurrences that are announced again because their mask ended. */
export function unmaskedOf(occasions: readonly BatchOccasion[]): UnmaskedOccurrence[] {
  const again = occasions.filter(
    ({ isReannounced, record: { status } }) => isReannounced && isUnacknowledged(status.state),
  );
  return again.map(({ record: { tagId, status } }) => ({ tagId, occurrenceId: status.occurrenceId }));
}

/** The sounds of the occasions of a batch. Those of a masked alarm are played when the mask ends. */
export function alarmSoundsOf(occasions: readonly BatchOccasion[], directory: CallDirectory): AlarmSound[] {
  return occasions.flatMap(({ occasion, record }) => {
    const { tagId: alarmId, definition, status } = record;
    if (occasion === 'raised' && isMasked(status.state)) return [];
    const cause = { alarmId, stationId: definition.stationId, occasion };
    return soundsOf(directory, callableOccasion(record, occasion)).map((sound) =>
      Object.assign(sound, cause),
    );
  });
}
