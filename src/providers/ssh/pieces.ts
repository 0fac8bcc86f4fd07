// Files of any size, of which a few pieces at a time are in memory.
import { open } from 'node:fs/promises';
import { CHUNK, CHUNKS_AT_ONCE, untilEnd, withHandle, type Ask } from './handles.ts';

const OWNERS_ONLY = 0o600;

/** Sends a file of this machine by pieces, a few of them in flight at once. Its mode is set before anything is in it. */
export async function send(ask: Ask, from: string, path: string): Promise<void> {
  const file = await open(from, 'r');
  try {
    const { size } = await file.stat();
    await withHandle(
      ask,
      path,
      (sftp, done) => sftp.open(path, 'w', { mode: OWNERS_ONLY }, done),
      async (handle) => {
        let next = 0;
        const sendSome = async (): Promise<void> => {
          const buffer = Buffer.allocUnsafe(CHUNK);
          while (next < size) {
            const at = next;
            next += CHUNK;
            const { bytesRead } = await file.read(buffer, 0, CHUNK, at);
            await ask<number>(path, (sftp, done) => sftp.write(handle, buffer, 0, bytesRead, at, done));
          }
        };
        await Promise.all(Array.from({ length: CHUNKS_AT_ONCE }, sendSome));
      },
    );
  } finally {
    await file.close();
  }
}

/** Reads a file by pieces, a few of them in flight at once, and hands them over in their order. */
export const fetch = (ask: Ask, path: string, take: (chunk: Buffer) => Promise<void>): Promise<void> =>
  withHandle(
    ask,
    path,
    (sftp, done) => sftp.open(path, 'r', done),
    async (handle) => {
      const readAt = async (at: number): Promise<Buffer> => {
        const buffer = Buffer.allocUnsafe(CHUNK);
        // A server may answer with less than was asked for.
        let got = 0;
        while (got < CHUNK) {
          const from = got;
          const more = await untilEnd(
            ask<number>(path, (sftp, done) => sftp.read(handle, buffer, from, CHUNK - from, at + from, done)),
          );
          if (!more) break;
          got += more;
        }
        return buffer.subarray(0, got);
      };
      for (let at = 0; ; at += CHUNKS_AT_ONCE * CHUNK) {
        const starts = Array.from({ length: CHUNKS_AT_ONCE }, (_, index) => at + index * CHUNK);
        for (const chunk of await Promise.all(starts.map(readAt))) {
          if (chunk.length > 0) await take(chunk);
          if (chunk.length < CHUNK) return;
        }
      }
    },
  );
