import { Type } from 'typebox';

/** The settings of the audit trail. */
export const auditSettings = {
  auditRetentionMonths: Type.Refine(
    Type.Integer({
      minimum: 0,
      maximum: 1_200,
      default: 0,
      mustBe: '0, or a whole number from 12 to 1200',
      description: 'Months that the audit trail is kept, at least 12; 0 keeps everything.',
    }),
    (months) => months === 0 || months >= 12,
  ),
  auditHeadsFile: Type.Optional(
    Type.String({
      pattern: '^/',
      mustBe: 'the full path of a file, such as /var/log/tocsin/audit-heads',
      description: 'File to which the signed heads of the audit trail are appended.',
    }),
  ),
  auditSyslog: Type.Optional(
    Type.String({
      pattern: '^[^/: ]+(:[0-9]{1,5})?$',
      mustBe: 'a host name with an optional port, such as syslog.example:6514',
      description:
        'Syslog server (RFC 5424 over TLS) to which the signed heads are sent; port 6514 by default.',
    }),
  ),
  auditSyslogCa: Type.Optional(
    Type.String({
      pattern: '-----BEGIN CERTIFICATE-----',
      file: 'only',
      mustBe: 'certificates in PEM',
      description: 'File with the CA certificates of the syslog server.',
    }),
  ),
};
