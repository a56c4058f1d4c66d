/** What tools, acceptance tests and benchmarks outside the server may use of it. */
export { problems } from '@tocsin/contract';
export { permissionsOf } from '../http/permissions.ts';
export { digestOf, foldPassword } from '../identity/common-passwords.ts';
export { migrate } from '../postgres/migrate.ts';
export { type Authority, makeAuthority } from './certificates.ts';
export { hubDocument } from './hub-document.ts';
export { interfaceDocument } from './interface-document.ts';
