// The first switch over a live folder whose path fills more than one packet of the network, on a line that is slow or breaks after the first.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { openSftp } from '../../../../src/providers/ssh.ts';
import { activateAct } from '../../../../src/services/sites/release-switch.ts';
import { uploadAct } from '../../../../src/services/sites/release-upload.ts';
import { missing, path, run, sftp, site, sshd, useHost } from './world.ts';

const PACKET = 1_460;

/** A line to the server; once it is `slow`, the parts of what is longer than a packet arrive apart, and of what `breaks` the first alone. */
interface Line {
  server: Server;
  slow: boolean;
  breaks: boolean;
  /** The longest piece that was sent over the slow line. */
  longest: number;
}

async function startLine(): Promise<Line> {
  const server = createServer((socket) => {
    const onward = connect(sshd.port, '127.0.0.1').setNoDelay(true);
    onward.pipe(socket).on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    let sent = Promise.resolve();
    const send = async (bytes: Buffer): Promise<void> => {
      if (!line.slow) return void onward.write(bytes);
      line.longest = Math.max(line.longest, bytes.length);
      for (let at = 0; at < bytes.length; at += PACKET) {
        if (at > 0 && line.breaks) return void socket.destroy();
        if (at > 0) await sleep(100);
        onward.write(bytes.subarray(at, at + PACKET));
      }
    };
    socket.on('data', (bytes) => {
      sent = sent.then(() => send(bytes));
    });
    socket.on('close', () => void sent.then(() => onward.end()));
  }).listen(0, '127.0.0.1');
  const line: Line = { server, slow: false, breaks: false, longest: 0 };
  await once(server, 'listening');
  return line;
}

describe.skipIf(missing.length > 0)('a first switch with a long path', () => {
  useHost();
  let line: Line;
  afterEach(() => line.server.close());

  test.each([
    ['parts that arrive apart', false, 'new'],
    ['a line that breaks after the first part', true, 'by hand'],
  ])('never leaves neither folder nor release, with %s', async (_which, breaks, after) => {
    line = await startLine();
    const part = `/${'long'.repeat(50)}`;
    const place = `${path}${part}${part}`;
    const folder = sshd.local(place);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/index.html`, 'by hand');
    const release = site('new', 0);
    await run(uploadAct(sftp, place, release));
    const { port } = line.server.address() as AddressInfo;
    const client = await openSftp({ ...sshd.login, port }, { hostKey: sshd.hostKey() });
    const change = await activateAct(client, place, release).look();
    Object.assign(line, { slow: true, breaks });
    const over = new AbortController();
    const switching = change!
      .perform()
      .catch(() => undefined)
      .finally(() => over.abort());
    let gaps = 0;
    while (!over.signal.aborted) {
      if (!existsSync(`${folder}/index.html`)) gaps += 1;
      await sleep(1);
    }
    await switching;
    expect([gaps, line.longest > PACKET]).toEqual([0, true]);
    expect(readFileSync(`${folder}/index.html`, 'utf8')).toContain(after);
    await client.close();
  });
});
