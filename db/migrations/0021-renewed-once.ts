import type { Migration } from './index.ts';

/** A date is paid for once: a registrar may go on showing the old one for a while. */
export const renewedOnce: Migration = {
  name: '0021-renewed-once',
  statements: [
    `CREATE UNIQUE INDEX purchases_renewed ON purchases (domain_name, expires_before)
     WHERE kind = 'renew' AND state = 'committed'`,
  ],
};
