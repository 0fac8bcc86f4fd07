import { form, request, type Person, type TestServer } from '../../support/server.ts';
import { zipFile } from '../../support/zips.ts';

/**
 * Creates team data: two CDN accounts with refused keys, a group with both, an empty group, two servers, a template.
 */
export async function seedTeam(server: TestServer, { token }: Person = server.admin): Promise<void> {
  const post = async (path: string, body: object): Promise<number> => {
    const answer = await request(server, `POST /api/${path}`, { token, body });
    return answer.body.data?.id ?? answer.body.id;
  };
  const accounts = [
    await post('cloudflare_accounts', {
      name: 'Основной',
      email: 'ops@example.net',
      api_key: 'main-key-0123456789abcd',
    }),
    await post('cloudflare_accounts', { name: 'Second', email: '', api_key: 'second-token-0123456789' }),
  ];
  await post('cloudflare_groups', { name: 'Все', accounts });
  await post('cloudflare_groups', { name: 'Пустая', accounts: [] });
  const login = { ssh_user: 'root', ssh_password: 'server password 1' };
  await post('servers', { ...login, name: 'Амстердам', ssh_host: '203.0.113.10' });
  await post('servers', { ...login, name: 'Falkenstein', ssh_host: '2001:db8::10' });
  await post('templates', form({ name: 'Промо', template_file: zipFile() }));
}
