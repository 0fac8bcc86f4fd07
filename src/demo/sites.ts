import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Trouble } from './domains.ts';

/** The sites of the demo on one port. `troubles` says by host what does not answer 200, and may be changed at any time. */
export interface Sites {
  port: number;
  close: () => Promise<void>;
}

/**
 * Serves every host there is over plain HTTP on loopback. TLS is refused by what Node answers to its first bytes, so that
 * checks go on to http at once.
 */
export async function startSites(troubles: Record<string, Trouble>): Promise<Sites> {
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    const trouble = troubles[host];
    if (trouble?.error === 'timeout') return;
    if (trouble?.error === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    response.writeHead(trouble?.status ?? 200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>${host.replaceAll(/[<>&]/g, '')}</title>\n`);
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close().closeAllConnections();
      await closed;
    },
  };
}
