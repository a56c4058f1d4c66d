import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/** A sampler by its name in `OTEL_TRACES_SAMPLER`. The SDK has the samplers, but does not read the variable itself. */
export function samplerOf(name: string, ratio: number): Sampler {
  const prefix = 'parentbased_';
  if (name.startsWith(prefix))
    return new ParentBasedSampler({ root: samplerOf(name.slice(prefix.length), ratio) });
  if (name === 'always_on') return new AlwaysOnSampler();
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  throw new Error(`There is no sampler ${name}`);
}
