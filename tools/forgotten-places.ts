/**
 * Shows that no place of a new alarm field or a new medium can be forgotten. In a copy of the repository it makes all the
 * edits of the recipe in CONTRIBUTING.md, and then all of them but one, for each place in turn: the compiler or a test must
 * report each of these. `--list` only prints the places.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type NewMember, newMembers, type Place } from './new-members.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'tocsin-places-'));

type Check = { name: string; command: readonly string[] };

const typeChecks: readonly Check[] = [
  { name: 'type check of the sources', command: ['npx', '--no-install', 'tsc', '-b'] },
  { name: 'type check of the tests', command: ['npx', '--no-install', 'tsc', '-p', 'tsconfig.test.json'] },
];

const testsOf = ({ tests }: NewMember): Check => ({
  name: `npm test -- ${tests.join(' ')}`,
  command: ['npm', 'test', '--', ...tests],
});

/** Hard links keep the symbolic links of the workspaces, which then lead into the copy. */
function copyRepository(): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '')) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  execFileSync('cp', ['-al', join(root, 'node_modules'), join(copy, 'node_modules')]);
}

function applyPlaces(places: readonly Place[]): void {
  for (const { file, text, by } of places) {
    const path = join(copy, file);
    const before = readFileSync(path, 'utf8');
    if (before.split(text).length !== 2) throw new Error(`${file} does not have "${text}" exactly once`);
    writeFileSync(
      path,
      before.replace(text, () => by),
    );
  }
}

function restore(places: readonly Place[]): void {
  for (const { file } of places) copyFileSync(join(root, file), join(copy, file));
}

/** The first check that fails; undefined if all pass. */
function findFailure(checks: readonly Check[]): string | undefined {
  return checks.find(({ command: [program = '', ...args] }) => {
    return spawnSync(program, args, { cwd: copy, stdio: 'ignore' }).status !== 0;
  })?.name;
}

/** The number of places that nothing reports, plus one if the complete edit is refused. */
function countFaults(member: NewMember): number {
  const checks = [...typeChecks, testsOf(member)];
  const judge = (title: string, places: readonly Place[], isComplete: boolean): number => {
    applyPlaces(places);
    const failure = findFailure(checks);
    restore(member.places);
    const isRight = (failure === undefined) === isComplete;
    console.log(`${isRight ? '  ok   ' : '  FAULT'} ${title}: ${failure ?? 'nothing reported'}`);
    return isRight ? 0 : 1;
  };
  console.log(`${member.title}, ${member.places.length} places`);
  const forgotten = member.places.map((place) => {
    const others = member.places.filter((other) => other !== place);
    return judge(`without ${place.name} (${place.file})`, others, false);
  });
  return [judge('all places', member.places, true), ...forgotten].reduce((sum, fault) => sum + fault, 0);
}

try {
  if (process.argv.includes('--list')) {
    for (const { title, places } of newMembers)
      console.log(`${title}\n${places.map(({ name, file }) => `  ${name}: ${file}`).join('\n')}`);
  } else {
    copyRepository();
    const faults = newMembers.map(countFaults).reduce((sum, count) => sum + count, 0);
    console.log(faults === 0 ? 'Every forgotten place is reported.' : `${faults} faults`);
    process.exitCode = faults === 0 ? 0 : 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
