import type { Tracing } from '@tocsin/telemetry';
import type { Logger } from 'pino';
import { version } from '../common/version.ts';
import type { Config } from '../settings/config.ts';

/** Opens the export of traces if a collector is configured. Only then OpenTelemetry is loaded. */
export async function openTraces(
  config: Config,
  { log, now }: { log: Logger; now: () => Date },
): Promise<Tracing | undefined> {
  const { otelExporterOtlpEndpoint: endpoint } = config;
  if (endpoint === undefined) return undefined;
  const { openTracing } = await import('@tocsin/telemetry');
  log.info({ endpoint, sampler: config.otelTracesSampler }, 'traces are exported');
  return openTracing({
    endpoint,
    serviceName: config.otelServiceName,
    serviceVersion: version,
    sampler: config.otelTracesSampler,
    ratio: Number(config.otelTracesSamplerArg),
    delayMs: config.otelBspScheduleDelay,
    now,
    onLost: (reason) => log.warn({ endpoint, reason }, 'traces are lost: the collector does not take them'),
    onRecovered: () => log.info({ endpoint }, 'the collector takes traces again'),
  });
}
