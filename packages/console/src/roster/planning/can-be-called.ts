import type { User } from '@tocsin/contract';

/** Whether a person can be called, as far as this is known: who may not read people takes it for granted. */
export const canBeCalled =
  (people: ReadonlyMap<number, User>) =>
  (userId: number): boolean => {
    if (people.size === 0) return true;
    const person = people.get(userId);
    return person?.enabled === true && person.media.some(isUsable);
  };

const isUsable = ({ enabled, confirmed }: User['media'][number]) =>
  enabled !== false && confirmed !== undefined;
