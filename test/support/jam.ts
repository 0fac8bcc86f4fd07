import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

// A process that listens and then blocks for ever, so that its queue stays full.
const SLEEPER = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Opens a port that neither accepts nor refuses connections, as behind a firewall: its listener's queue is full. */
export async function jammedPort(): Promise<{ port: number; close(): void }> {
  const child = spawn(process.execPath, ['-e', SLEEPER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(chunk.toString());
  const fillers = Array.from({ length: 4 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => {}));
  // The queue holds one more than its length; the other sockets keep trying to connect.
  await new Promise<void>((resolve) => {
    let queued = 0;
    for (const socket of fillers) socket.once('connect', () => (queued += 1) === 2 && resolve());
  });
  return {
    port,
    close() {
      for (const socket of fillers) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
