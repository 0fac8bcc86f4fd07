/**
 * Collation and functions that statements use and PostgreSQL lacks: names compared without their case, JSON stored as text. The
 * first migration makes them; a change of them is a migration.
 */
export const FUNCTIONS = [
  // For = and ORDER BY; LIKE has no use for it.
  `CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
  // The members of an array, as texts: numbers have to be cast.
  `CREATE FUNCTION json_each(source text) RETURNS TABLE (key bigint, value text)
   LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
   AS 'SELECT n - 1, v #>> ''{}'' FROM json_array_elements(source::json) WITH ORDINALITY e (v, n)'`,
  `CREATE FUNCTION json_member(source text, name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
   AS 'SELECT source::json ->> name'`,
  `CREATE FUNCTION json_member(source text, place int4) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
   AS 'SELECT source::json ->> place'`,
  `CREATE FUNCTION json_part(source text, name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
   AS 'SELECT (source::json -> name)::text'`,
  `CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = text, FUNCTION = json_member)`,
  `CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = int4, FUNCTION = json_member)`,
  `CREATE OPERATOR -> (LEFTARG = text, RIGHTARG = text, FUNCTION = json_part)`,
  `CREATE FUNCTION instr(whole text, part text) RETURNS int4 LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
   AS 'SELECT strpos(whole, part)'`,
  // Times are ISO 8601 in UTC, the only format in use. Now is the time of the statement: a transaction may have waited for the lock.
  `CREATE FUNCTION strftime(format text, moment text, shift text DEFAULT '0 seconds') RETURNS text
   LANGUAGE sql STABLE STRICT PARALLEL SAFE AS 'SELECT to_char(
     (CASE moment WHEN ''now'' THEN statement_timestamp() ELSE moment::timestamptz END + shift::interval) AT TIME ZONE ''UTC'',
     CASE format WHEN ''%Y-%m-%dT%H:%M:%fZ'' THEN ''YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'' END)'`,
];
