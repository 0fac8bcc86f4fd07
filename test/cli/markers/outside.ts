// The outside services in one: refuse everything, and repeat all that they receive.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns an error of XMLRiver, at once final, that repeats a text: of the query or of the key. */
const searchError = (count: number, said: string): string => {
  const text = said.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<?xml version="1.0"?><yandexsearch><response><error code="${count % 2 === 0 ? 42 : 102}">${text}</error></response></yandexsearch>`;
};

/** Paths that the outside service was asked for, with their queries. */
export const asked: string[] = [];

/** Starts an outside service that refuses everything and repeats all that it received, in several encodings. */
export async function startEcho(): Promise<{ url: string; server: Server }> {
  let count = 0;
  const answer = async (incoming: IncomingMessage): Promise<[status: number, body: string]> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { headers, url } = incoming;
    asked.push(url ?? '');
    const key = String(headers['x-auth-key'] ?? headers.authorization ?? '').replace('Bearer ', '');
    const bytes = Buffer.from(key);
    const said = [
      JSON.stringify(headers),
      url,
      Buffer.concat(chunks).toString(),
      bytes.toString('base64'),
      Buffer.from(`me:${key}`).toString('base64'),
      bytes.toString('hex'),
      encodeURIComponent(key),
    ].join(' ');
    count += 1;
    if (url?.includes('/xml?') || url?.startsWith('/api/get_')) return [200, searchError(count, said)];
    const status = [401, 403, 400, 500, 404, 200][count % 6] ?? 500;
    return count % 5 === 0
      ? [status, `<html>${said}</html>`]
      : [
          status,
          JSON.stringify({ success: false, errors: [{ code: 10_000, message: said }], messages: [said], result: said }),
        ];
  };
  const server = createServer((incoming, response) => {
    void answer(incoming).then(([status, body]) => response.writeHead(status).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`, server };
}
