-- One role and one schema a service; no other role may read it. Safe to run again and again, by a superuser or by an
-- administrator who may create roles. Passwords come as settings of the session, as clear text or as a SCRAM verifier:
--   SET ginhall.gin_lobby_password = '…';  and the same for gin_engine and gin_ratings
-- `python -m gin_local.roles` does that. Run it in the database that the services share.

DO $$
DECLARE
  service text;
BEGIN
  FOREACH service IN ARRAY ARRAY['gin_lobby', 'gin_engine', 'gin_ratings'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = service) THEN
      EXECUTE format('CREATE ROLE %I', service);
    END IF;
    EXECUTE format(
      'ALTER ROLE %I LOGIN PASSWORD %L',
      service, current_setting('ginhall.' || service || '_password')
    );
    -- A name without a schema can only mean the service's own table.
    EXECUTE format('ALTER ROLE %I SET search_path = %I', service, service);
    EXECUTE format('ALTER ROLE %I SET timezone = ''UTC''', service);
    -- A transaction that a dead process left open must not hold its locks for ever.
    EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = ''60s''', service);
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', service); -- to hand over the schema
    END IF;
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I', service, service);
    EXECUTE format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', service);
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), service);
  END LOOP;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  REVOKE ALL ON SCHEMA public FROM PUBLIC;
END
$$;
