/** Values of the variables of traces, other than their defaults. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318/otlp',
  OTEL_SERVICE_NAME: 'plant-7',
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.05',
  OTEL_BSP_SCHEDULE_DELAY: '100',
};

/** The settings that are read from them. */
export const tracedSettings = {
  otelExporterOtlpEndpoint: 'http://collector.example:4318/otlp',
  otelServiceName: 'plant-7',
  otelTracesSampler: 'parentbased_traceidratio',
  otelTracesSamplerArg: '0.05',
  otelBspScheduleDelay: 100,
} as const;

export const defaultTraceSettings = {
  otelServiceName: 'tocsin',
  otelTracesSampler: 'parentbased_always_on',
  otelTracesSamplerArg: '1',
  otelBspScheduleDelay: 5_000,
} as const;
