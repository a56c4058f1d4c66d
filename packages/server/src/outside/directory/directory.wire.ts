import { X509Certificate } from 'node:crypto';
import type { Directory, DirectoryBody } from '@tocsin/contract';
import { FilterParser } from 'ldapts';
import { invalid } from '../../common/problem.ts';
import type { SecretBox } from '../../common/secret-box.ts';
import { readGroupRoles } from '../group-roles.wire.ts';
import type { DirectoryRecord, DirectoryRow } from './directory.store.ts';
import { filterOfName } from './directory-filter.ts';

type TenantBox = { readonly box: SecretBox; readonly tenantId: number };

export function directoryToWire(row: DirectoryRow): Directory {
  const { version: _version, bindPassword, certificate, groupRoles, ...settings } = row;
  return {
    ...settings,
    groupRoles: readGroupRoles(groupRoles),
    ...(certificate !== '' && { certificate }),
    hasBindPassword: bindPassword !== null,
  };
}

/** The directory of a request; `former` is the one that it replaces. */
export function toDirectoryRecord(
  body: DirectoryBody,
  { box, tenantId }: TenantBox,
  former: DirectoryRow | undefined,
): DirectoryRecord {
  const { bindPassword: given, certificate = '', ...settings } = body;
  requireDirectoryUrl(settings.url);
  requireFilter(settings.userFilter);
  if (certificate !== '') requireCertificate(certificate);
  const kept = former?.bindPassword ?? null;
  const isMoved = former && (former.url !== settings.url || former.bindDn !== settings.bindDn);
  // The password would be sent to the new address.
  if (isMoved && kept !== null && given === undefined)
    throw invalid('/bindPassword', 'must be sent again when url or bindDn changes');
  const bindPassword = given === undefined ? kept : box.seal(given, placeOfDirectory(tenantId));
  return { ...settings, certificate, bindPassword };
}

/** The password of the search; empty without one. Throws if no key of this server opens it. */
export function openBindPassword(
  { bindPassword }: Pick<DirectoryRow, 'bindPassword'>,
  { box, tenantId }: TenantBox,
): string {
  if (bindPassword === null) return '';
  const text = box.open(bindPassword, placeOfDirectory(tenantId));
  if (text === undefined) throw new Error(`no key opens ${placeOfDirectory(tenantId)}`);
  return text;
}

/** The context that the password of the search is sealed with. */
export function placeOfDirectory(tenantId: number): string {
  return `tenant ${tenantId} directory`;
}

function requireDirectoryUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.hostname !== '' && ['', '/'].includes(url.pathname) && url.search === '';
  if (!isPlain || url.username !== '') throw invalid('/url', 'must be ldap://host or ldaps://host');
}

function requireFilter(userFilter: string): void {
  try {
    FilterParser.parseString(filterOfName(userFilter, 'anna'));
  } catch {
    throw invalid('/userFilter', 'is no LDAP filter; for example (uid={name})');
  }
}

function requireCertificate(pem: string): void {
  try {
    const { raw } = new X509Certificate(pem);
    if (raw.length === 0) throw new Error('empty');
  } catch {
    throw invalid('/certificate', 'is no certificate in PEM');
  }
}
