import { type SettingDescription, settingDescriptions } from '@tocsin/server/testing';

const begin = '<!-- begin of the settings, written by `npm run configuration` -->';
const end = '<!-- end of the settings -->';

/** The settings by subject, in the order of the page. */
export const settingGroups: Readonly<Record<string, readonly string[]>> = {
  Database: [
    'databaseUrl',
    'migrateDatabaseUrl',
    'backupDatabaseUrl',
    'autoMigrate',
    'allowSuperuserLogin',
    'databaseConnections',
    'alarmConnections',
    'configurationCacheMb',
  ],
  'Network and TLS': [
    'host',
    'port',
    'basePath',
    'publicUrl',
    'tlsCertFile',
    'tlsKeyFile',
    'tlsClientCaFile',
    'trustProxy',
    'allowedOrigins',
    'rateLimitPerSecond',
    'intakeLimitPerSecond',
    'console',
  ],
  'Roles, hub and several servers': [
    'roles',
    'hubConnections',
    'hubConnectionsPerCaller',
    'natsUrl',
    'natsCredentials',
    'natsCa',
    'nodeAddress',
    'nodeCaFile',
  ],
  'Running and monitoring': ['logLevel', 'drainMs', 'adminHost', 'adminPort', 'heartbeatUrl'],
  Traces: [
    'otelExporterOtlpEndpoint',
    'otelServiceName',
    'otelTracesSampler',
    'otelTracesSamplerArg',
    'otelBspScheduleDelay',
  ],
  'Retention and audit trail': [
    'retentionMonths',
    'auditRetentionMonths',
    'auditHeadsFile',
    'auditSyslog',
    'auditSyslogCa',
  ],
  'Log-ins and secrets': [
    'firstAdminUsername',
    'firstAdminPassword',
    'sessionHours',
    'oidcIssuers',
    'secretsKey',
    'stateFolder',
  ],
  'Calling people': [
    'egressAllow',
    'callFolder',
    'sipPorts',
    'speechProfiles',
    'speechPrograms',
    'speechDirectory',
    'speechCacheMegabytes',
    'smsModemDirectory',
    'commandsFile',
  ],
  'Security contact': ['securityContact', 'securityPolicyUrl', 'securityLanguages'],
};

/** The page with its generated part replaced. Throws if a setting is in no group, or a group names one that does not exist. */
export function replaceSettings(page: string): string {
  const start = page.indexOf(begin);
  const stop = page.indexOf(end);
  if (start === -1 || stop < start) throw new Error(`The page lacks "${begin}" and "${end}"`);
  return `${page.slice(0, start)}${begin}\n\n${tables(settingDescriptions())}\n${page.slice(stop)}`;
}

export function tables(settings: readonly SettingDescription[]): string {
  const grouped = Object.values(settingGroups).flat();
  const names = settings.map(({ setting }) => setting);
  const missing = names.filter((name) => !grouped.includes(name));
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')}: add it to a group in tools/configuration-page.ts`);
  const gone = grouped.filter((name, index) => !names.includes(name) || grouped.indexOf(name) !== index);
  if (gone.length > 0) throw new Error(`${gone.join(', ')}: not a setting, or in two groups`);
  return Object.entries(settingGroups)
    .map(([title, members]) => {
      const rows = members.flatMap((name) => settings.filter(({ setting }) => setting === name)).map(row);
      return `## ${title}\n\n| Variable | Default | Value | Meaning |\n| --- | --- | --- | --- |\n${rows.join('')}`;
    })
    .join('\n');
}

function row({ variables, preset, isRequired, accepts, description }: SettingDescription): string {
  const names = variables.map((name) => `\`${name}\``).join(' or ');
  const shown = preset === undefined ? 'none' : `\`${preset}\``;
  return `| ${names} | ${isRequired ? 'required' : shown} | ${accepts} | ${description} |\n`;
}
