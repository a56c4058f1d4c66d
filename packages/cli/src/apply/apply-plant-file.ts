import type { Api } from '@tocsin/client';
import type { ChannelKind } from '@tocsin/contract';
import { wrongUsage } from '../common/command-error.ts';
import { createDirectory, readItems } from '../plant/directory.ts';
import { sections } from '../plant/kind.ts';
import { type LocatedFault, type PlantFile, sectionsOf } from '../plant/plant-file.ts';
import type { Known } from './find-faults.ts';
import { performPlan, readSecrets } from './perform-plan.ts';
import { performPruning } from './perform-pruning.ts';
import { type Plan, type PlanOptions, planApply } from './plan-apply.ts';
import { type Pruning, planPruning } from './plan-pruning.ts';
import { findCandidates } from './prune-candidates.ts';
import { callersOf } from './prune-consequences.ts';
import { readPruneFacts } from './read-prune-facts.ts';

const mostFaults = 20;

/** Compares a plant file with the server, and writes the differences unless it is a dry run. */
export async function applyPlantFile(
  api: Api,
  file: PlantFile,
  { dryRun, prune, ...options }: PlanOptions & { readonly dryRun: boolean; readonly prune: boolean },
): Promise<Applied> {
  // What is removed may be named by objects of any section.
  const items = await readItems(api, prune ? sections : sectionsOf(file));
  const directory = createDirectory(items);
  const channelKinds = file.entries.channels ? await readChannelKinds(api) : [];
  const known = { items, directory, channelKinds };
  const plan = withoutFaults(planApply(file, known, options), file.name);
  const secrets = readSecrets(plan, file);
  const pruning = prune ? await decidePruning(api, file, known) : undefined;
  if (!dryRun) {
    await performPlan(plan, { api, directory, file, secrets });
    if (pruning) await performPruning(pruning, { api, directory });
  }
  return { ...plan, pruning };
}

/** What was written; `pruning` is absent unless it was asked for. */
export type Applied = Plan & { readonly pruning: Pruning | undefined };

/** What is to be removed. Refuses all of it if something of it must not be. */
async function decidePruning(api: Api, file: PlantFile, known: Known): Promise<Pruning> {
  const candidates = findCandidates(file, known);
  const people = candidates.filter(({ section }) => section === 'people').map(({ name }) => name);
  const facts = await readPruneFacts(api, candidates, callersOf(people, known));
  return withoutFaults(planPruning(file, known, candidates, facts), file.name);
}

async function readChannelKinds(api: Api): Promise<ChannelKind[]> {
  const { data } = await api.get<ChannelKind[]>('/channels/kinds');
  return data;
}

/** The result, unless it is a list of faults: then each is named with its line. */
export function withoutFaults<Result>(result: Result | LocatedFault[], file: string): Result {
  if (!Array.isArray(result)) return result;
  const faults = result.toSorted((one, other) => one.line - other.line);
  const lines = faults.slice(0, mostFaults).map(({ line, message }) => `${file}:${line}: ${message}`);
  const rest = faults.length - lines.length;
  const more = rest > 0 ? [`… and ${rest} more`] : [];
  const end = `Nothing was changed. Correct ${faults.length === 1 ? 'this line' : 'these lines'}, then apply the file again.`;
  throw wrongUsage([...lines, ...more, end].join('\n'));
}
