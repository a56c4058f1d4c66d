/** A value of an attribute. Attributes never have names, addresses or texts of people or alarms. */
export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** The kinds of spans of OpenTelemetry. */
export type SpanKindName = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export type SpanDraft = {
  readonly name: string;
  readonly kind?: SpanKindName;
  /** The W3C `traceparent` of the span that causes this one. Absent or malformed: the span begins a trace. */
  readonly parent?: string | undefined;
  readonly attributes?: Attributes;
  /** The `traceparent` of a span of another trace that had to do with this one. */
  readonly link?: string | undefined;
  /** By default now. */
  readonly startedAt?: Date | undefined;
  /** For a span whose children were named before it: 16 hexadecimal digits. By default random. */
  readonly spanId?: string | undefined;
};

/** A span that is sent to the collector when it has ended. One that never ends is never sent. */
export type Span = {
  /** Names this span as the parent of others, in this process or another one. */
  readonly traceParent: string;
  /** 32 hexadecimal digits, for log lines. */
  readonly traceId: string;
  /** With the attribute `error.type` the span counts as failed. */
  end(attributes?: Attributes, endedAt?: Date): void;
};

/** Records traces. No function waits for the collector or throws. */
export type Tracing = {
  /** Undefined if the trace is not sampled: then nothing of it is recorded. */
  start(draft: SpanDraft): Span | undefined;
  now(): Date;
  /** Sends what has ended. Resolves after a short time even if the collector does not answer. */
  close(): Promise<void>;
};
