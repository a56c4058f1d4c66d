import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** Called when spans were lost for the first time, and when they arrive again. */
export type DeliveryListener = {
  onLost(reason: string): void;
  onRecovered(): void;
};

/** The exporter, with a report when it begins to lose spans: the SDK would lose them in silence. */
export function watchExporter(exporter: SpanExporter, listener: DeliveryListener): SpanExporter {
  let isLosing = false;
  const note = ({ code, error }: ExportResult) => {
    const isLost = code !== ExportResultCode.SUCCESS;
    if (isLost && !isLosing) listener.onLost(error?.message ?? 'unknown error');
    if (!isLost && isLosing) listener.onRecovered();
    isLosing = isLost;
  };
  return {
    export: (spans: ReadableSpan[], done: (result: ExportResult) => void) =>
      exporter.export(spans, (result) => {
        note(result);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
