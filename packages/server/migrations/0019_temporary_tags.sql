-- Temporary tags go once nothing is left of them: not in alarm, not masked, and without history.

create index tags_temporary on tags (tenant_id, id) where temporary;
grant delete on tags, alarms to tocsin_app;
