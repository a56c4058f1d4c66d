import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { readTlsMaterial, type TlsMaterial } from '../http/server/tls-material.ts';
import type { ReadSettings } from '../settings/config.ts';
import { error, type Finding, ok, orOk, reasonOf, warning } from './finding.ts';

/** Two weeks: time to obtain another certificate. */
const soonMs = 14 * 86_400_000;

/** The certificate of this server, if it has one. */
export function checkTls(settings: ReadSettings, now: Date): readonly Finding[] {
  const { tlsCertFile: cert, tlsKeyFile: key } = settings;
  if (cert === undefined || key === undefined)
    return [ok('tls', 'This server uses HTTP, without a certificate of its own')];
  try {
    const { tlsClientCaFile: clientCa, nodeCaFile: nodeCa } = settings;
    return judgeMaterial(readTlsMaterial({ cert, key, clientCa, nodeCa }), settings, now);
  } catch (thrown) {
    const files = 'TLS_CERT_FILE must name a certificate with its chain, and TLS_KEY_FILE its private key';
    return [error('tls.files', reasonOf(thrown), files)];
  }
}

function judgeMaterial(material: TlsMaterial, settings: ReadSettings, now: Date): readonly Finding[] {
  const { certificate, clientCas, nodeCas } = material;
  const { tlsCertFile, tlsClientCaFile, nodeCaFile } = settings;
  const replace = 'replace TLS_CERT_FILE and TLS_KEY_FILE; the server reads them again by itself';
  const found = [
    ...periodFindings(certificate, {
      name: 'tls.expiry',
      what: `The certificate ${tlsCertFile}`,
      replace,
      now,
    }),
    ...hostFindings(certificate, settings),
    ...clientCas.flatMap((ca) => authorityFindings(ca, { file: tlsClientCaFile, now })),
    ...nodeCas.flatMap((ca) => authorityFindings(ca, { file: nodeCaFile, now })),
  ];
  return orOk(found, 'tls', `The certificate is valid until ${certificate.validToDate.toISOString()}`);
}

function authorityFindings(ca: X509Certificate, { file, now }: { file?: string | undefined; now: Date }) {
  const what = `A CA in ${file}`;
  return periodFindings(ca, { name: 'tls.authority', what, replace: `replace it in ${file}`, now });
}

function periodFindings(
  { validFromDate, validToDate }: X509Certificate,
  { name, what, replace, now }: { name: string; what: string; replace: string; now: Date },
): Finding[] {
  const day = (date: Date) => date.toISOString().slice(0, 'yyyy-mm-dd'.length);
  if (validToDate <= now) return [error(name, `${what} expired on ${day(validToDate)}`, replace)];
  if (validFromDate > now)
    return [
      error(name, `${what} is not valid before ${day(validFromDate)}`, `${replace}; check the clock too`),
    ];
  const isSoon = validToDate.getTime() - now.getTime() < soonMs;
  return isSoon ? [warning(name, `${what} expires soon, on ${day(validToDate)}`, replace)] : [];
}

/** A warning only, because a proxy with a name of its own may be in front of this server. */
function hostFindings(certificate: X509Certificate, { publicUrl }: ReadSettings): Finding[] {
  if (!URL.canParse(publicUrl)) return [];
  const host = new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1');
  const matches = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (matches !== undefined) return [];
  const names = certificate.subjectAltName ?? 'no name';
  const message = `The certificate is for ${names}, not for ${host} of PUBLIC_URL: clients refuse it`;
  return [warning('tls.host-name', message, `get a certificate for ${host}, or correct PUBLIC_URL`)];
}
