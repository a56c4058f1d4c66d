import type { Registry } from 'prom-client';

/** The values of a metric by its labels, such as `{medium="Voice"}`; a metric without labels has the label ''. */
export async function metricValues(registry: Registry, name: string): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split('\n');
  const found = lines.flatMap((line) => {
    const [, labels = '', value] = new RegExp(`^${name}(\\{.*\\})? (.+)$`).exec(line) ?? [];
    return value === undefined ? [] : [[labels, Number(value)] as const];
  });
  return Object.fromEntries(found);
}

/** The value of a metric without labels. */
export async function metricValue(registry: Registry, name: string): Promise<number | undefined> {
  return (await metricValues(registry, name))[''];
}
