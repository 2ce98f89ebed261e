-- Nobody changes what was recorded by mistake, not even its owner. Who means to can
-- switch this off, and is found by the chain.

CREATE FUNCTION keep_what_is_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what is recorded is never changed or deleted';
END $$;

CREATE TRIGGER events_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION keep_what_is_recorded();

CREATE TRIGGER entries_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
FOR EACH STATEMENT EXECUTE FUNCTION keep_what_is_recorded();
