import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildArtifacts, run } from './build-artifacts.ts';
import type { ReleasePlan } from './plan-release.ts';

/** Scripts that write the version into generated files. */
const generators = ['openapi', 'asyncapi', 'sbom'];

/** Writes the new texts, builds the packages, and only then commits and tags. Pushes nothing, publishes nothing. */
export function carryOutRelease(root: string, plan: ReleasePlan): void {
  try {
    for (const [path, text] of plan.texts) writeFileSync(join(root, path), text);
    for (const path of plan.deleted) rmSync(join(root, path));
    for (const script of generators) run(root, 'npm', ['run', '--silent', script]);
    buildArtifacts(root, plan);
    run(root, 'git', ['add', '--all']);
    run(root, 'git', ['commit', '--quiet', '--message', `build: release ${plan.version}`]);
    run(root, 'git', ['tag', '--annotate', plan.tag, '--message', `Tocsin ${plan.version}`]);
  } catch (error) {
    const undo = '`git restore --staged --worktree .` undoes its changes.';
    throw new Error(`The release was not finished, and there is no tag. ${undo}`, { cause: error });
  }
}
