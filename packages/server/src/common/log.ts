import { type DestinationStream, type Logger, pino } from 'pino';

/** Members that are never logged, down to the third level of an object. */
const secrets = [
  'authorization',
  'cookie',
  'password',
  'token',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
  'secret',
  'address',
  'phone',
  // PostgreSQL quotes whole rows here.
  'detail',
  'parameters',
];

const paths = [
  ...secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  '*["set-cookie"]',
  '*.*["set-cookie"]',
];

/** The log of the process: JSON lines on standard output, without secrets and without phone numbers. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: { service: 'tocsin' }, redact: { paths, censor: '[redacted]' } };
  return destination ? pino(options, destination) : pino(options);
}
