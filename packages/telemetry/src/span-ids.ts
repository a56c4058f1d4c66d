import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';

/** Random identifiers, except for the next span if it was given one. */
export type SpanIds = IdGenerator & { next: string | undefined };

export function createSpanIds(): SpanIds {
  const random = new RandomIdGenerator();
  return {
    next: undefined,
    generateTraceId: () => random.generateTraceId(),
    generateSpanId() {
      const given = this.next;
      this.next = undefined;
      return given ?? random.generateSpanId();
    },
  };
}
