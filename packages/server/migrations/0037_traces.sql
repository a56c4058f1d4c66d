-- Traces: the calls for an alarm belong to the trace of the request that raised it, whichever server makes them and however
-- much later.
set local lock_timeout = '5s';

alter table escalations add column trace_parent text; -- W3C `traceparent` of the span that opened it; null if not traced
