// Servers other than OpenSSH that send nothing, too much, or unexpected answers.
import type ssh2 from 'ssh2';
import { describe, expect, test } from 'vitest';
import {
  ANSWER_MS,
  type Behaviour,
  failure,
  flood,
  open,
  rawServer,
  SECRET,
  sendBanner,
  sshServer,
  STATUS_CODE,
  useServers,
} from './hostile-servers.ts';

useServers();

describe('before the login', () => {
  test.each([
    ['an HTTP server', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['an SSH of 1995', 'SSH-1.5-old\r\n'],
    ['a server that hangs up', 'SSH-2.0-x\r\n'],
    ['bytes', '\0'.repeat(1000)],
  ])('%s is refused', async (_what, greeting) => {
    const port = await rawServer((socket) => void socket.end(greeting));
    expect(['malformed', 'unavailable']).toContain((await failure(open(port))).kind);
  });

  test('a silent server is dropped', async () => {
    expect(await failure(open(await rawServer(() => undefined), ANSWER_MS))).toMatchObject({ code: 'ETIMEDOUT' });
  });

  test('a server that is silent after its greeting is dropped', async () => {
    const port = await rawServer((socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await failure(open(port, ANSWER_MS))).toMatchObject({ kind: 'unavailable', code: 'ETIMEDOUT' });
  });

  test.each([
    ['lines before its name', Buffer.from('welcome\r\n'.repeat(1000))],
    ['one line without end', Buffer.alloc(8192, 'x')],
  ])('a server that sends %s is dropped before it has sent much', async (_what, chunk) => {
    let count = { sent: (): number => 0 };
    const port = await rawServer((socket) => {
      count = flood(socket, chunk);
    });
    expect((await failure(open(port))).kind).toBe('malformed');
    // Bytes in the buffers of the system count as sent, though they were not read.
    expect(count.sent()).toBeLessThan(64 * 2 ** 20);
  });

  test('a server that sends banner after banner is dropped', async () => {
    const port = await sshServer({
      authenticate: (_context, connection) => {
        for (let index = 0; index < 200; index += 1) sendBanner(connection, Buffer.alloc(30_000, 'x'));
      },
    });
    expect(await failure(open(port))).toMatchObject({ kind: 'malformed', code: 'not_ssh' });
  });
});

describe('at the login', () => {
  test('a server without SFTP is distinguished from a wrong password', async () => {
    const noSftp = await sshServer({});
    expect(await failure(open(noSftp))).toMatchObject({ kind: 'refused', code: 'no_sftp' });
    const no = await sshServer({ authenticate: (context) => context.reject() });
    expect(await failure(open(no))).toMatchObject({ kind: 'credentials', code: 'login_refused' });
  });

  test('a server that never decides is dropped', async () => {
    const port = await sshServer({ authenticate: () => undefined });
    expect(await failure(open(port, ANSWER_MS))).toMatchObject({ kind: 'unavailable', code: 'ETIMEDOUT' });
  });

  test('the password is sent once to a server that keeps asking', async () => {
    const answers: string[][] = [];
    const ask = (context: ssh2.KeyboardAuthContext, left: number): void => {
      const prompts = [
        { prompt: 'Password: ', echo: false },
        { prompt: 'And again: ', echo: false },
        { prompt: 'Your name: ', echo: true },
      ];
      context.prompt(prompts, (given) => {
        answers.push(given);
        if (left > 0) ask(context, left - 1);
        else context.reject();
      });
    };
    const port = await sshServer({
      authenticate: (context) => {
        if (context.method === 'keyboard-interactive') ask(context, 2);
        else context.reject(['keyboard-interactive']);
      },
    });
    expect((await failure(open(port))).kind).toBe('credentials');
    expect(answers).toEqual([
      [SECRET, '', ''],
      ['', '', ''],
      ['', '', ''],
    ]);
  });

  test('a server that asks for a new password gets none', async () => {
    const port = await sshServer({
      authenticate: (context) => {
        if (context.method === 'password') context.requestChange('expired', () => context.reject());
        else context.reject();
      },
    });
    expect(await failure(open(port))).toMatchObject({ kind: 'credentials' });
  });
});

describe('over SFTP', () => {
  const attrs = { mode: 0o100644, uid: 0, gid: 0, size: 1, atime: 0, mtime: 0 };
  const handle = Buffer.from('h');
  const listing = (names: () => { filename: string }[] | null): Behaviour => ({
    sftp: (sftp) => {
      sftp.on('OPENDIR', (id) => sftp.handle(id, handle));
      sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
      sftp.on('READDIR', (id) => {
        const some = names();
        if (some === null) sftp.status(id, STATUS_CODE.EOF);
        else
          sftp.name(
            id,
            some.map(({ filename }) => ({ filename, longname: filename, attrs })),
          );
      });
    },
  });

  test.each(['../etc', '/etc/passwd', 'a/b', '', 'x\0'])(
    'a folder that contains the name %j is refused',
    async (filename) => {
      const sftp = await open(await sshServer(listing(() => [{ filename }])));
      expect((await failure(sftp.list('/x'))).kind).toBe('malformed');
      await sftp.close();
    },
  );

  test('an endless folder is refused', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ filename: `name-${index}` }));
    const sftp = await open(await sshServer(listing(() => many)));
    expect((await failure(sftp.list('/x'))).kind).toBe('malformed');
    await sftp.close();
  });

  test('an endless file is read only up to its limit', async () => {
    let read = 0;
    const port = await sshServer({
      sftp: (sftp) => {
        sftp.on('OPEN', (id) => sftp.handle(id, handle));
        sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
        sftp.on('READ', (id, _handle, _offset, length) => {
          read += length;
          sftp.data(id, Buffer.alloc(length, 'x'));
        });
      },
    });
    const sftp = await open(port);
    expect(await failure(sftp.readFile('/x', 100_000))).toMatchObject({ code: 'too_large' });
    expect(read).toBeLessThan(200_000);
    await sftp.close();
  });

  test('a server that does not answer fails all waiting calls', async () => {
    const sftp = await open(await sshServer({ sftp: (sftp) => void sftp.on('LSTAT', () => undefined) }), 2000);
    const ends = await Promise.all([1, 2, 3].map((index) => failure(sftp.stat(`/${index}`))));
    for (const end of ends) expect(end).toMatchObject({ kind: 'unavailable', code: 'ETIMEDOUT' });
    expect((await failure(sftp.stat('/4'))).kind).toBe('unavailable');
    await sftp.close();
  });

  test('a server that answers with an unknown id and another type is dropped', async () => {
    const port = await sshServer({ sftp: (sftp) => void sftp.on('LSTAT', (id) => sftp.handle(id + 7, handle)) });
    const sftp = await open(port, 2000);
    expect(['malformed', 'unavailable']).toContain((await failure(sftp.stat('/x'))).kind);
    await sftp.close();
  });

  test('a failure is reported in our words, not in those of the server', async () => {
    const text = `${SECRET} `.repeat(2000);
    const port = await sshServer({
      sftp: (sftp) => void sftp.on('LSTAT', (id) => sftp.status(id, STATUS_CODE.FAILURE, text)),
    });
    const sftp = await open(port);
    expect(await failure(sftp.stat('/x'))).toMatchObject({ kind: 'refused', message: '/x: failure' });
    await sftp.close();
  });

  test('a missing atomic rename is reported as unsupported', async () => {
    const sftp = await open(await sshServer({ sftp: () => undefined }));
    expect(await failure(sftp.rename('/x', '/y'))).toMatchObject({
      kind: 'refused',
      message: '/x: operation unsupported',
    });
    await sftp.close();
  });
});
