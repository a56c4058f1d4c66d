/**
 * `npm run release -- VERSION [--dry-run | --artifacts] [--date 2026-11-18]`
 *
 * Makes a release of the working tree: version, changelog, generated files, packages with their sums, commit and tag.
 * `--dry-run` only checks and prints; `--artifacts` only builds the packages of a version that was released. RELEASE.md
 * describes the rest of a release.
 */
import { parseArgs } from 'node:util';
import { buildArtifacts, releaseFolder } from './release/build-artifacts.ts';
import { carryOutRelease } from './release/carry-out-release.ts';
import { planBuild, planRelease, type ReleasePlan } from './release/plan-release.ts';

const usage = 'Usage: npm run release -- VERSION [--dry-run | --artifacts] [--date YYYY-MM-DD]';

function main(args: string[], today: string): void {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, artifacts: { type: 'boolean' }, date: { type: 'string' } },
  });
  const [version, ...others] = positionals;
  if (version === undefined || others.length > 0) throw new Error(usage);
  if (values.artifacts === true) return buildArtifacts(process.cwd(), planBuild(process.cwd(), version));
  const date = values.date ?? today;
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error(`${date} is no date: write it as 2026-11-18.`);
  const plan = planRelease(process.cwd(), { version, date });
  console.log(describe(plan));
  if (values['dry-run'] === true) return console.log('Nothing was changed: --dry-run.');
  carryOutRelease(process.cwd(), plan);
  console.log(
    `Committed and tagged ${plan.tag}; the files are in ${releaseFolder}/. See RELEASE.md for the next steps.`,
  );
}

function describe({ version, tag, texts, deleted, published }: ReleasePlan): string {
  const section =
    /^## (?!Unreleased)[^]*?(?=^## |$(?![^]))/m.exec(texts.get('CHANGELOG.md') ?? '')?.[0] ?? '';
  return [
    `Release ${version}, tag ${tag}`,
    `writes: ${[...texts.keys()].join(', ')}`,
    `deletes: ${deleted.join(', ') || 'nothing'}`,
    `packs: ${published.join(', ')}, the Debian package, the bill of materials, SHA256SUMS`,
    '',
    section.trim(),
    '',
  ].join('\n');
}

try {
  main(process.argv.slice(2), new Date().toISOString().slice(0, 10));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof Error && error.cause instanceof Error) console.error(error.cause.message);
  process.exitCode = 1;
}
