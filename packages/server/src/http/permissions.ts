import type { Role } from '@tocsin/contract';

export const permissions = [
  'alarms:read',
  'alarms:raise',
  'alarms:define',
  'alarms:act',
  'alarms:mask',
  'history:read',
  'calls:read',
  'calls:start',
  'plant:read',
  'plant:write',
  'people:read',
  'people:write',
  'callgroups:read',
  'callgroups:write',
  'channels:read',
  'channels:write',
  'commands:read',
  'commands:run',
  'keys:read',
  'keys:write',
  'audit:read',
  'meta:read',
] as const;
export type Permission = (typeof permissions)[number];

const viewer = [
  'alarms:read',
  'history:read',
  'calls:read',
  'plant:read',
  'callgroups:read',
  'meta:read',
] as const;
const operator = [
  ...viewer,
  'alarms:raise',
  'alarms:act',
  'alarms:mask',
  'calls:start',
  'people:read',
] as const;
const engineer = [
  ...operator,
  'alarms:define',
  'plant:write',
  'callgroups:write',
  'channels:read',
  'channels:write',
  'commands:read',
  'commands:run',
] as const;

/** The permissions of each role. Each route names the permission it needs. */
export const permissionsOf: Record<Role, readonly Permission[]> = {
  viewer,
  operator,
  engineer,
  admin: permissions,
  machine: ['alarms:read', 'alarms:raise', 'meta:read'],
  auditor: [...viewer, 'people:read', 'channels:read', 'commands:read', 'keys:read', 'audit:read'],
};
