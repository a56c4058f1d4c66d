import { isZone } from '@tocsin/domain';
import { firstRosterGaps } from '../dispatch/monitoring/roster-gaps.ts';
import { error, type Finding, orOk, warning } from './finding.ts';
import type { TenantState, TenantStates } from './tenant-state.store.ts';

/** Tenants without an administrator, call groups without anybody to call, and gaps in rosters. */
export function checkPeople({ tenants, total }: TenantStates): readonly Finding[] {
  if (total === 0)
    return [
      warning(
        'people.none',
        'There is no tenant and no administrator yet: nobody can log in',
        'start the server and use the set-up code that it prints, or set FIRST_ADMIN_USERNAME and FIRST_ADMIN_PASSWORD_FILE',
      ),
    ];
  const found = tenants.flatMap((tenant) => [
    ...administratorFindings(tenant),
    ...groupFindings(tenant),
    ...gapFindings(tenant),
  ]);
  const counted = tenants.length === total ? `${total}` : `${tenants.length} of ${total}`;
  return orOk(found, 'people', `Somebody can be called in every call group (tenants examined: ${counted})`);
}

function administratorFindings({ name, administrators }: TenantState): Finding[] {
  if (administrators > 0) return [];
  const message = `Tenant ${name} has no enabled administrator: nobody can change its settings`;
  const remedy =
    'restore a backup, or enable an administrator in the table `users` as a superuser of the database';
  return [error('people.administrator', message, remedy)];
}

function groupFindings({ name, directory: { groups, people } }: TenantState): Finding[] {
  const canBeCalled = (userId: number) => (people.get(userId)?.media.length ?? 0) > 0;
  return [...groups.values()]
    .filter(({ userIds }) => !userIds.some(canBeCalled))
    .map((group) =>
      error(
        'people.unreachable',
        `Nobody of call group ${group.name} (tenant ${name}) can be called`,
        'add a member who is enabled and has an enabled, confirmed medium (console, call groups and people)',
      ),
    );
}

/** A gap that has begun is an error: an alarm of now calls nobody of the group. */
function gapFindings({ name, directory, now }: TenantState): Finding[] {
  return firstRosterGaps(directory, now).map(({ gap, message }) => {
    const make = gap.startsAt <= now ? error : warning;
    return make(
      'people.roster-gap',
      `${message} (tenant ${name})`,
      'add a slot or an override to the roster',
    );
  });
}

/** Stations whose time zone this Node.js does not know: their rosters and times would be wrong. */
export function checkTimeZones({ tenants }: TenantStates): readonly Finding[] {
  const found = tenants.flatMap(({ name, stations }) =>
    stations
      .filter(({ timeZone }) => !isZone(timeZone))
      .map((station) =>
        error(
          'clock.time-zone',
          `Station ${station.name} (tenant ${name}) has the time zone ${station.timeZone}, which this Node.js does not know`,
          'choose another time zone for the station, or install a Node.js with newer time zone data',
        ),
      ),
  );
  return orOk(
    found,
    'clock.time-zone',
    `The time zones of all stations are known (${process.versions['tz']})`,
  );
}
