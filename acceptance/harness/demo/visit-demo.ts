/**
 * `node visit-demo.ts FOLDER COMMAND...`
 *
 * Starts a demo, opens its console and its telephones in Chromium, and prints as JSON how many milliseconds it took until an
 * alarm was on the screen and a telephone rang, and each request to another place than this machine. Ends the demo.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { launch } from '../console/chromium.ts';

const [folder = '', command = '', ...args] = process.argv.slice(2);
const begin = performance.now();
const demo = spawn(command, [...args, 'demo', '--json', '--dir', folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = once(demo, 'exit');
const browser = await launch();
try {
  const [line] = (await Promise.race([
    once(createInterface(demo.stdout), 'line'),
    exited.then(([code]) => {
      throw new Error(`the demo ended with ${code}`);
    }),
  ])) as [string];
  const readyMs = performance.now() - begin;
  const { signIn, phones } = JSON.parse(line) as { signIn: string; phones: string };
  const outside: string[] = [];
  const context = await browser.newContext();
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') outside.push(request.url());
  });
  const [console_, board] = [await context.newPage(), await context.newPage()];
  const since = () => Math.round(performance.now() - begin);
  const shown = async () => {
    await console_.goto(signIn);
    await console_.locator('.row[data-alarm]').first().waitFor();
    return since();
  };
  const rung = async () => {
    await board.goto(phones);
    await board.locator('.dp-phone.is-ringing').first().waitFor();
    return since();
  };
  const [alarmMs, ringMs] = await Promise.all([shown(), rung()]);
  process.stdout.write(`${JSON.stringify({ readyMs: Math.round(readyMs), alarmMs, ringMs, outside })}\n`);
} finally {
  await browser.close();
  demo.kill('SIGTERM');
  await exited;
}
process.exitCode = demo.exitCode ?? 1;
