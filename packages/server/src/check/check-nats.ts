import { type NatsAccess, tryNats } from '../hub/nodes/nats.channel.ts';
import { error, type Finding, ok } from './finding.ts';

const connectMs = 3_000;

const remedies = {
  refused: 'correct the user and password in NATS_URL, or NATS_CREDENTIALS_FILE',
  forbidden: 'let the user of this server publish and subscribe `tocsin.>`',
  unreachable: 'start NATS, or correct NATS_URL; for tls: URLs check NATS_CA_FILE too',
};

/** Whether NATS can be reached, accepts the credentials, and lets the server subscribe. */
export async function checkNats(access: NatsAccess | undefined): Promise<readonly Finding[]> {
  if (access === undefined) return [ok('nats', 'NATS is not used')];
  const trial = await tryNats(access, connectMs);
  if (trial.kind === 'accepted') return [ok('nats', `NATS at ${trial.server} accepts this server`)];
  const message = `NATS of NATS_URL cannot be used: ${trial.reason}`;
  return [error(`nats.${trial.kind}`, message, remedies[trial.kind])];
}
