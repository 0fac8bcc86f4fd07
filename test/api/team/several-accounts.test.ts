// A login of Cloudflare that sees several accounts, of which two have a zone of one name.
import { expect, test } from 'vitest';
import { startCdn } from '../../support/cdn.ts';
import { cfAccount } from '../../support/cloudflare-state.ts';

const TOKEN = 't'.repeat(40);
const RIGHTS = ['zone:read', 'dns:read', 'dns:edit', 'settings:read', 'settings:edit'] as const;

test.each([1, 2])(
  'of two zones that wait for their name servers that of the chosen account (%s) counts, in the editor and in bulk',
  async (chosen) => {
    const cdn = await startCdn();
    try {
      cdn.fake.state.logins.push({
        email: 'ops@example.net',
        token: TOKEN,
        accounts: [cfAccount(1), cfAccount(2)],
        permissions: [...RIGHTS],
      });
      const input = { name: 'Token', email: '', api_key: TOKEN, cf_account_id: cfAccount(chosen) };
      const { body } = await cdn.call('POST /api/cloudflare_accounts', input);
      const cloudflare_account_id = body.data.id as number;
      const ids = new Map<string, number>();
      for (const name of ['one.com', 'two.com', 'three.com']) {
        ids.set(name, await cdn.addDomain(name, { cloudflare_account_id }));
        for (const account of [1, 2]) cdn.addZone(name, [`A @ 198.51.100.${account}`], account).status = 'pending';
      }
      const dns = await cdn.call(`GET /api/domain_dns/${ids.get('one.com')}`);
      expect(dns.body.dns).toMatchObject([{ content: `198.51.100.${chosen}` }]);
      const on = await cdn.call('POST /api/manage-under-attack-mode-all', { action: 'enable' });
      expect(await cdn.ended(on.body.operation.id)).toMatchObject({ state: 'succeeded', done: 3 });
      const switched = Object.values(cdn.fake.state.zones).filter(
        ({ settings }) => settings['security_level']?.value === 'under_attack',
      );
      expect(switched.map((zone) => zone.account_id)).toEqual([chosen, chosen, chosen].map(cfAccount));
    } finally {
      await cdn.close();
    }
  },
);
