// Answers of WHOIS servers as bytes: encodings of Russian, half of an answer, none.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import iconv from 'iconv-lite';
import { afterEach, describe, expect, test } from 'vitest';
import { readWhois } from '../../../src/providers/registry/whois-answer.ts';
import { askWhois } from '../../../src/providers/registry/whois.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.close();
  if (server) await once(server, 'close');
});

async function answering(bytes: Buffer): Promise<string> {
  server = createServer((socket) => void socket.once('data', () => void socket.end(bytes)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return askWhois({ host: '127.0.0.1', port }, 'example.ru');
}

const ANSWER = [
  'domain:        EXAMPLE.RU',
  'nserver:       ns1.example.net.',
  'state:         REGISTERED, DELEGATED, VERIFIED',
  'org:           Общество с ограниченной ответственностью «Пример»',
  'registrar:     РЕГИСТРАТОР-Пример',
  'paid-till:     2027-02-13T21:00:00Z',
  '',
].join('\r\n');

describe('an answer', () => {
  test.each(['utf8', 'koi8-r', 'windows-1251'])('in %s is read', async (encoding) => {
    const text = await answering(iconv.encode(ANSWER, encoding));
    expect(text).toContain('ответственностью');
    expect(readWhois(text, 'example.ru', 'whois.example.net')).toMatchObject({
      expires_at: '2027-02-13T21:00:00.000Z',
      registrar: 'РЕГИСТРАТОР-Пример',
    });
  });

  test.each([
    ['that is cut before anything was told', ANSWER.slice(0, 30)],
    ['that is empty', ''],
    ['that is a page', '<html><body>502 Bad Gateway</body></html>'],
  ])('%s is neither a date nor a free name', async (_, text) => {
    const read = await answering(Buffer.from(text));
    expect(() => readWhois(read, 'example.ru', 'whois.example.net')).toThrow(
      expect.objectContaining({ kind: 'malformed' }),
    );
  });
});
