import type { Tracing } from '@tocsin/telemetry';
import { traceEnded } from '../traces/trace-attempt.ts';
import type { CallMetrics } from './call-metrics.ts';

/** The metrics, which are told of every change of an attempt after its commit, and traces of the attempts that ended with it. */
export function withTraces(metrics: CallMetrics, tracing: Tracing | undefined): CallMetrics {
  if (!tracing) return metrics;
  return {
    ...metrics,
    countAttempts: (changes) => {
      metrics.countAttempts(changes);
      traceEnded(tracing, changes);
    },
  };
}
