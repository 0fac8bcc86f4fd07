// A real nginx on loopback that serves each host from a folder of its name.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './programs.ts';

/** Returns the system's nginx, installing it as root on Debian; else a message on how to install it. */
export const findNginx = (): { path: string } | { missing: string } =>
  findProgram({
    places: ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'],
    debian: 'nginx-light',
    howTo: 'needs nginx: apt-get install nginx-light',
  });

/** The response of a site. */
export interface Served {
  status: number;
  type: string;
  text: string;
}

/** A running nginx. */
export interface Nginx {
  port: number;
  /** Requests a path of a host. */
  get: (host: string, path?: string) => Promise<Served>;
  close: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const configOf = (root: string, port: number): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log error.log;
events {}
http {
  access_log off;
  default_type application/octet-stream;
  types { text/html html htm; text/css css; text/plain txt; text/javascript js; image/png png; }
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  server {
    listen 127.0.0.1:${port};
    root ${root}/$host;
    index index.html;
  }
}
`;

const ask = (port: number, host: string, path: string): Promise<Served> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text }),
      );
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });

/** Starts an nginx that serves `<root>/<host>`. */
export async function startNginx(root: string): Promise<Nginx> {
  const found = findNginx();
  if ('missing' in found) throw new Error(found.missing);
  const folder = mkdtempSync(join(tmpdir(), 'seo-admin-nginx-'));
  mkdirSync(join(folder, 'logs'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), configOf(root, port));
  const child = spawn(found.path, ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'ignore' });
  for (let tries = 0; ; tries += 1) {
    const isUp = await ask(port, 'nobody.example', '/').then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (tries > 5_000 || child.exitCode !== null) {
      throw new Error(`nginx does not start: ${readFileSync(join(folder, 'error.log'), 'utf8')}`);
    }
    await sleep(20);
  }
  return {
    port,
    get: (host, path = '/') => ask(port, host, path),
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
