-- Who created a tag, as principals are named (`user:7`, `key:3`): besides holders of `alarms:define` only they change its
-- definition. Null for tags that are older than this column.
alter table tags add column created_by text;

-- The source without rights on the tag that raised its latest occurrence (`*` for several), which may reset it again.
-- Null when the occurrence was raised by somebody with rights on the tag, or before this column existed.
alter table alarms add column raised_by text;

-- The members that a change of a known tag's definition changed, each with its old and its new value.
alter table journal add column definition_change json;
