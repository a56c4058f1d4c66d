-- Whose doing it was that a try failed: after a fault of the channel the next medium, route or person is tried at once,
-- because nobody's telephone has rung.
alter table call_attempts add column channel_fault boolean not null default false;
