import { create, type Plant } from '../plant.ts';

export type Person = { readonly id: number; readonly username: string; readonly password: string };

/** Somebody with an account of their own, so that tests do not disturb each other. */
export async function hire(plant: Plant, role = 'operator', more: object = {}): Promise<Person> {
  const username = `${role}-${crypto.randomUUID().slice(0, 8)}`;
  const password = 'seven quiet pumps below';
  const name = `Anna ${username}`;
  return {
    id: await create(plant.client, 'users', { username, name, role, password, ...more }),
    username,
    password,
  };
}

/** Browsers have passkeys for names only, not for addresses. */
export const byName = ({ baseUrl }: Pick<Plant, 'baseUrl'>) => ({
  baseUrl: baseUrl.replace('127.0.0.1', 'localhost'),
});
