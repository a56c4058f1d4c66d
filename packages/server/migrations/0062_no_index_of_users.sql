-- Since `acknowledgments` finds the occurrences of a user.
set local lock_timeout = '1s';
drop index occurrences_user;
