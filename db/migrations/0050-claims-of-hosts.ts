import type { Migration } from './index.ts';

// A deployment keeps the claim that its domain had then: another folder, or another host, has another claim.
const DEPLOYED_CLAIM = [
  'ALTER TABLE sites ADD COLUMN folder_claim INTEGER',
  `UPDATE sites SET folder_claim = (SELECT COALESCE(d.folder_claim, d.id) FROM domains d WHERE d.id = sites.domain_id)
   WHERE release IS NOT NULL`,
];

const ORDER = 'COALESCE(folder_claim, id)';

/**
 * With another host of a server's row its domains take their folders anew, in their former order: on that host somebody
 * else may have been first.
 */
export const claimsOfHosts: Migration = {
  name: '0050-claims-of-hosts',
  statements: [
    ...DEPLOYED_CLAIM,
    `CREATE TRIGGER servers_folder_claim AFTER UPDATE OF ssh_host ON servers WHEN NEW.ssh_host <> OLD.ssh_host
     BEGIN
       UPDATE domains SET folder_claim = (SELECT seq FROM sqlite_sequence WHERE name = 'domains') + r.n
       FROM (SELECT id, row_number() OVER (ORDER BY ${ORDER}) AS n FROM domains WHERE server_id = NEW.id) AS r
       WHERE r.id = domains.id;
       UPDATE sqlite_sequence SET seq = seq + (SELECT COUNT(*) FROM domains WHERE server_id = NEW.id) WHERE name = 'domains';
     END`,
  ],
  postgres: [
    ...DEPLOYED_CLAIM,
    `CREATE FUNCTION servers_folder_claim() RETURNS trigger LANGUAGE plpgsql
     AS 'DECLARE one bigint;
     BEGIN
       FOR one IN SELECT id FROM domains WHERE server_id = NEW.id ORDER BY ${ORDER} LOOP
         UPDATE domains SET folder_claim = nextval(pg_get_serial_sequence(''domains'', ''id'')) WHERE id = one;
       END LOOP;
       RETURN NULL;
     END'`,
    `CREATE TRIGGER servers_folder_claim AFTER UPDATE OF ssh_host ON servers FOR EACH ROW
     WHEN (NEW.ssh_host <> OLD.ssh_host) EXECUTE FUNCTION servers_folder_claim()`,
  ],
};
