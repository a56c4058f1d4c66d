import type { Api } from '@tocsin/client';
import type { ChannelKind } from '@tocsin/contract';
import { wrongUsage } from '../common/command-error.ts';
import { createDirectory, readItems } from '../plant/directory.ts';
import { type LocatedFault, type PlantFile, sectionsOf } from '../plant/plant-file.ts';
import { performPlan, readSecrets } from './perform-plan.ts';
import { type Plan, type PlanOptions, planApply } from './plan-apply.ts';

const mostFaults = 20;

/** Compares a plant file with the server, and writes the differences unless it is a dry run. */
export async function applyPlantFile(
  api: Api,
  file: PlantFile,
  { dryRun, ...options }: PlanOptions & { readonly dryRun: boolean },
): Promise<Plan> {
  const items = await readItems(api, sectionsOf(file));
  const directory = createDirectory(items);
  const channelKinds = file.entries.channels ? await readChannelKinds(api) : [];
  const plan = withoutFaults(planApply(file, { items, directory, channelKinds }, options), file.name);
  const secrets = readSecrets(plan, file);
  if (!dryRun) await performPlan(plan, { api, directory, file, secrets });
  return plan;
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
