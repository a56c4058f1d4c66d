import { Type } from 'typebox';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** The settings of traces, by the names that OpenTelemetry gives them. */
export const traceSettings = {
  otelExporterOtlpEndpoint: Type.Optional(
    Type.String({
      pattern: '^https?://[^/ ?#@]+(/[^ ?#]*)?$',
      mustBe: 'the URL of a collector, without /v1/traces, such as http://127.0.0.1:4318',
      description:
        'Collector to which [traces](operations.md#traces) are sent by OTLP over HTTP; by default none, and nothing is traced.',
    }),
  ),
  otelServiceName: Type.String({
    minLength: 1,
    maxLength: 255,
    default: 'tocsin',
    mustBe: 'a name of at most 255 characters',
    description: 'Name of this server in traces.',
  }),
  otelTracesSampler: Type.Enum([...samplers], {
    default: 'parentbased_always_on',
    description:
      'Which alarms are traced; `parentbased` leaves it to the client if it sends a `traceparent`.',
  }),
  otelTracesSamplerArg: Type.String({
    pattern: '^(0(\\.[0-9]{1,9})?|1(\\.0{1,9})?)$',
    default: '1',
    mustBe: 'a number from 0 to 1, such as 0.05',
    description: 'Part of the alarms that a sampler with `traceidratio` traces.',
  }),
  otelBspScheduleDelay: Type.Integer({
    minimum: 10,
    maximum: 60_000,
    default: 5_000,
    description: 'Milliseconds that ended spans wait for others, to be sent together.',
  }),
};
