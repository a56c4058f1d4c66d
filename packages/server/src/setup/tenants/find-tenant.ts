import { CannotStart } from '../cannot-start.ts';

/** The tenant of a name or number. Names need not be unique, so a name of several tenants is refused. */
export function findTenant<Tenant extends { id: number; name: string }>(
  tenants: readonly Tenant[],
  text: string,
): Tenant {
  const named = tenants.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  const found = named.length > 0 ? named : tenants.filter(({ id }) => String(id) === text);
  const [tenant, ...more] = found;
  if (tenant === undefined)
    throw new CannotStart([`There is no tenant named ${text}, nor with this number.`]);
  if (more.length > 0) {
    const numbers = found.map(({ id }) => id).join(', ');
    throw new CannotStart([`Several tenants are named ${text}: give the number instead, one of ${numbers}.`]);
  }
  return tenant;
}
