-- The private part of a key of the audit trail is sealed anew, and destroyed when another key takes over. The public part stays
-- as it is for ever: what the key has signed is verified with it.
grant update (private_key) on audit_keys to tocsin_app;
