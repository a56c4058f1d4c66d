/**
 * `npm run recording [-- FOLDER]`
 *
 * Runs the built demo in a terminal, and writes what it prints as a recording (`demo.cast`) and as a picture (`demo.svg`), and
 * the page of the telephones in both themes, to docs/images. With a folder it writes there, and the page at the width of a
 * telephone as well. Keys, codes and the folder of the demo are replaced.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { launch, type Size, sizes, themes } from '../acceptance/harness/console/chromium.ts';
import { castText, type Output, terminalLines } from './recording/terminal-lines.ts';
import { terminalPicture } from './recording/terminal-picture.ts';

const main = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url));
const images = fileURLToPath(new URL('../docs/images', import.meta.url));
const [target = images] = process.argv.slice(2);
const screen = { columns: 112, rows: 36 };
const mostBytes = 300_000;

// PostgreSQL runs as another user if this runs as root.
const folder = mkdtempSync('/var/tmp/tocsin-recording-');
chmodSync(folder, 0o755);
const data = join(folder, 'demo');

const usualFolder = '~/.local/share/tocsin/demo';

/** What belongs to this run only. The folder keeps its width, so that the times stay in their column. */
const withoutSecrets = (text: string) =>
  text
    .replaceAll(`${data}  `, `${usualFolder.padEnd(data.length)}  `)
    .replaceAll(data, usualFolder)
    .replaceAll(/sign-in\/[\w-]+/g, 'sign-in/4F7K-once')
    .replaceAll(/Bearer [\w-]+/g, 'Bearer tcs_demo_key');

const outputs: Output[] = [];
const begin = performance.now();
const resize = `stty cols ${screen.columns} rows ${screen.rows}`;
const command = `${resize}; exec ${process.execPath} ${main} demo --dir ${data}`;
const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
  env: { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm-256color', SHELL: '/bin/sh' },
});
const exited = once(terminal, 'exit');
terminal.stdout.on('data', (chunk) =>
  outputs.push({ seconds: (performance.now() - begin) / 1_000, text: String(chunk) }),
);
const printed = () => outputs.map(({ text }) => text).join('');

async function until(text: string | RegExp): Promise<void> {
  while (!(typeof text === 'string' ? printed().includes(text) : text.test(printed()))) {
    if (terminal.exitCode !== null) throw new Error(`the demo has ended:\n${printed()}`);
    await sleep(50);
  }
}

async function photograph(url: string): Promise<void> {
  const browser = await launch();
  const shown: Size[] = target === images ? ['desk'] : ['desk', 'phone'];
  // All pages are open while somebody speaks and another telephone rings, so that the pictures show the same moment.
  const pages = await Promise.all(
    themes.flatMap((theme) =>
      shown.map(async (size) => {
        const context = await browser.newContext({ viewport: sizes[size], reducedMotion: 'reduce' });
        await context.addInitScript((chosen) => localStorage.setItem('tocsin-theme', chosen), theme);
        const page = await context.newPage();
        await page.goto(url);
        return { page, name: size === 'desk' ? `demo-${theme}` : `demo-${size}-${theme}` };
      }),
    ),
  );
  await pages[0]?.page.getByRole('button', { name: 'Pick up, Anna Keller' }).click();
  for (const { page, name } of pages) {
    await page.locator('.dp-phone.is-talking').first().waitFor();
    await page.locator('.dp-phone.is-ringing').first().waitFor();
    await page.screenshot({ path: join(target, `${name}.png`) });
  }
  await browser.close();
}

try {
  mkdirSync(target, { recursive: true });
  await until(/q\S* +quit/);
  await photograph(/Telephones +\S*?(http:[\w.:/]+)/.exec(printed())?.[1] ?? '');
  terminal.stdin.write('s');
  await until('Storm:');
  await sleep(1_000);
  terminal.stdin.write('q');
  await exited;
  const told = outputs.map(({ seconds, text }) => ({ seconds, text: withoutSecrets(text) }));
  writeFileSync(join(target, 'demo.cast'), castText(told, screen));
  writeFileSync(join(target, 'demo.svg'), terminalPicture(terminalLines(told), screen.columns));
  for (const name of ['demo.cast', 'demo.svg', ...themes.map((theme) => `demo-${theme}.png`)]) {
    const { size } = statSync(join(target, name));
    if (size > mostBytes) throw new Error(`${name} has ${size} bytes, more than ${mostBytes}`);
    console.log(`${name}: ${size} bytes`);
  }
} finally {
  if (terminal.exitCode === null) {
    terminal.kill('SIGTERM');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
}
