/** The simulated phone company as a process: `node main.ts PORT LOG-FILE`. Prints its port once it listens. */

import { Exchange } from './exchange.ts';
import { createHttpServer } from './http-server.ts';

const [port = '0', logFile] = process.argv.slice(2);
if (logFile === undefined) throw new Error('usage: main.ts PORT LOG-FILE');

const exchange = new Exchange(logFile);
const server = createHttpServer(exchange);
server.keepAliveTimeout = 60_000;
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.stdout.write(`${address.port}\n`);
});

const stop = () => {
  exchange.close();
  process.exit(0);
};
process.on('SIGTERM', stop);
// Stops with the process that started it.
process.stdin.on('end', stop).resume();
