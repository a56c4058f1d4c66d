import { Type } from 'typebox';

/** How many connections a server opens, and how much it keeps of what it reads. */
export const connectionSettings = {
  databaseConnections: Type.Integer({
    minimum: 2,
    maximum: 1_000,
    default: 10,
    description:
      'Maximum of connections to PostgreSQL, besides those of `ALARM_CONNECTIONS` and four that only call.',
  }),
  alarmConnections: Type.Integer({
    minimum: 2,
    maximum: 64,
    default: 4,
    description: 'Connections that only write alarms.',
  }),
  configurationCacheMb: Type.Integer({
    minimum: 1,
    maximum: 4_096,
    default: 64,
    description:
      'Memory for the people, call groups and rosters of tenants that were used last, in MiB. A tenant with ten people takes about 6 KiB.',
  }),
};
