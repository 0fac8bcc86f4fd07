// A command line beside a fake Cloudflare with an account and its zones, which are domains of the portfolio.
import { startCloudflare, type CloudflareFake } from '../../../src/demo/cloudflare.ts';
import { emptyState, type Zone } from '../../../src/demo/cloudflare/state.ts';
import { makeAdminHome, type Home } from '../cli.ts';

const KEY = '0123456789abcdef0123456789abcdef01234';
const ACCOUNT = 'a'.repeat(32);

export interface Zones {
  home: Home;
  outside: CloudflareFake;
  env: Record<string, string>;
  zone: (name: string) => Zone;
  close: () => Promise<void>;
}

/** Starts a Cloudflare with zones of these names, and adds them as domains of the account. */
export async function startZones(...names: string[]): Promise<Zones> {
  const home = await makeAdminHome();
  const account = { id: ACCOUNT, name: 'Main', type: 'standard' as const, created_on: '2024-03-01T12:21:02Z' };
  const name_servers: [string, string] = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'];
  const accounts = [{ ...account, name_servers, pending_cap: 50 }];
  const logins = [{ email: 'ops@example.net', api_key: KEY, accounts: [ACCOUNT] }];
  const outside = await startCloudflare({ state: { ...emptyState(), accounts, logins } });
  for (const name of names) outside.addZone({ name, account_id: ACCOUNT, status: 'active' });
  const env = { CLOUDFLARE_API_URL: outside.url };
  const good = async (line: string, input?: string): Promise<void> => {
    const { exit, stderr } = await home.run(line.split(' '), { env, ...(input !== undefined && { input }) });
    if (exit !== 0) throw new Error(stderr);
  };
  await good('cloudflare add Main --email ops@example.net --key-stdin', KEY);
  await good(`domain add ${names.join(' ')}`);
  await good(`domain set ${names.join(' ')} --cdn-account Main --yes`);
  return {
    home,
    outside,
    env,
    zone: (name) => Object.values(outside.state.zones).find((one) => one.name === name)!,
    close: async () => {
      await outside.close();
      home.remove();
    },
  };
}
