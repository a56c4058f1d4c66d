/** The simulated phone company as a process: `node main.ts PORT LOG-FILE`. Prints its port once it listens. */
import { openCounter } from './counter.ts';
import { Exchange } from './exchange.ts';

const [port = '0', logFile] = process.argv.slice(2);
if (logFile === undefined) throw new Error('usage: main.ts PORT LOG-FILE');

const exchange = new Exchange(logFile);
const counter = openCounter(exchange);
counter.keepAliveTimeout = 60_000;
counter.listen(Number(port), '127.0.0.1', () => {
  const address = counter.address();
  if (address !== null && typeof address !== 'string') process.stdout.write(`${address.port}\n`);
});

const stop = () => {
  exchange.close();
  process.exit(0);
};
process.on('SIGTERM', stop);
// Whoever started it is gone: so is the reason to go on.
process.stdin.on('end', stop).resume();
