import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { type RunningServer, serve } from './serve.ts';
import type { Config } from './settings/config.ts';
import { setUpInvitation } from './setup/set-up-invitation.ts';

/** A stop that takes longer than this counts as hung. */
const maxStopMs = 20_000;

export async function runServer({ config, log }: { config: Config; log: Logger }): Promise<void> {
  // Set before any code is optimized. Decision 0023: garbage of a request must be collected young.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // Unhandled rejections arrive here too.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'server failed');
    process.exit(1);
  });
  const server = await serve(config, log);
  if (server.setUpCode !== undefined) process.stderr.write(setUpInvitation(server.url, server.setUpCode));
  stopOnSignals(server);
}

/** A signal to all processes of a terminal or a service arrives twice, because npm passes it on. */
const sameSignalMs = 1_000;

/** The first signal lets requests finish; one that comes later, or a hung stop, ends the process at once. */
function stopOnSignals(server: RunningServer): void {
  let isStopping = false;
  let isSameSignal = true;
  const onSignal = () => {
    if (isStopping && !isSameSignal) process.exit(1);
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => (isSameSignal = false), sameSignalMs);
    setTimeout(() => process.exit(1), maxStopMs);
    void server.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
