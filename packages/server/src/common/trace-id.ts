/** The trace of a W3C `traceparent`, for log lines; undefined if the work is not traced, and then left out of the line. */
export function traceIdOf(traceParent: string | null | undefined): string | undefined {
  return traceParent?.split('-')[1];
}
