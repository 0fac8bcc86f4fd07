// The peer of the lists bench: only node:http, the sqlite3 package and JSON.stringify, on the product's database file.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';

interface Database {
  all: (sql: string, values: unknown[], done: (error: Error | null, rows: unknown[]) => void) => void;
}
const sqlite = createRequire(import.meta.url)('sqlite3') as { Database: new (path: string) => Database };
const database = new sqlite.Database(process.argv[2] ?? '');
const FROM = `FROM domains d LEFT JOIN projects p ON p.id = d.project_id
  LEFT JOIN users u ON u.id = COALESCE(p.user_id, d.user_id) LEFT JOIN servers s ON s.id = d.server_id
  LEFT JOIN cloudflare_accounts c ON c.id = d.cloudflare_account_id LEFT JOIN registrars r ON r.id = d.registrars_id`;
const COLUMNS = `d.id, d.domain_name, d.unicode_name, d.file_path, d.type, d.transfer_type, d.transfer_dns, d.server_id,
  s.name AS server_name, s.ssh_host AS server_ip, d.cloudflare_account_id, c.name AS cloudflare_account_name,
  d.registrars_id, r.type AS registrar_type, d.project_id, p.name AS project_name, u.login AS user_login, d.template_id,
  d.status, d.block_entry, d.last_block_check_at, d.http_status_code, d.http_error, d.last_http_check_at,
  d.google_indexation, d.yandex_indexation, d.last_check_indexation, d.created_at, d.updated_at, d.expired_at`;

const rows = (sql: string, values: unknown[]): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    database.all(sql, values, (error, found) => {
      if (error) reject(error);
      else resolve(found);
    });
  });

async function list(url: URL): Promise<object> {
  const limit = url.searchParams.get('limit');
  const search = url.searchParams.get('search');
  const pattern = `%${search}%`;
  const found = search
    ? `d.deleted_at IS NULL AND (d.domain_name LIKE ? OR d.unicode_name LIKE ? OR p.name LIKE ?)`
    : 'd.deleted_at IS NULL';
  const values = search ? [pattern, pattern, pattern] : [];
  const select = `SELECT ${COLUMNS} ${FROM} WHERE ${found} ORDER BY d.id`;
  if (limit === null) return { data: await rows(select, values) };
  const data = await rows(`${select} LIMIT ? OFFSET ?`, [...values, limit, url.searchParams.get('offset') ?? 0]);
  const joined = search ? 'LEFT JOIN projects p ON p.id = d.project_id' : '';
  const [count] = (await rows(`SELECT COUNT(*) AS total FROM domains d ${joined} WHERE ${found}`, values)) as [
    { total: number },
  ];
  return { data, total: count.total };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.from(JSON.stringify(await list(new URL(request.url ?? '/', 'http://localhost'))));
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
