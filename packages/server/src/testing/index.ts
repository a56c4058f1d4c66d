/** The parts of the server that tools, acceptance tests and benchmarks may import. */
export { problems } from '@tocsin/contract';
export { correlation } from '../channels/speech/testing/correlation.fixture.ts';
export { examine } from '../check/check.ts';
export type { Finding } from '../check/finding.ts';
export { permissionsOf } from '../http/permissions.ts';
export { digestOf, normalizePassword } from '../identity/sessions/common-passwords.ts';
export { clientId, clientSecret, startProvider } from '../outside/testing/sign-in-issuer.fixture.ts';
export { migrate } from '../postgres/migrate.ts';
export { addShiftTenant, cycleAlarms, measureShift } from './busy-shift.ts';
export { type Authority, makeAuthority } from './certificates.ts';
export { correlationWith } from './heard-text.ts';
export { hubDocument } from './hub-document.ts';
export { interfaceDocument } from './interface-document.ts';
export { dropMonths, openRetention, type Retention } from './retention.ts';
export { type SettingDescription, settingDescriptions } from './setting-descriptions.ts';
export type { StatementMeter } from './statement-meter.ts';
