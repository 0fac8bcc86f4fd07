import { read } from 'node:fs';
import { promisify } from 'node:util';

/** Length of the chunks in which a file is read, in bytes. */
export const BLOCK = 1 << 20;

const readFrom = promisify(read);

/**
 * Reads an open file from its start to its end, in chunks that are overwritten by later ones. Calls `onBytes` with the number of
 * bytes read. Throws errors of the file system.
 *
 * While one chunk is being parsed, the next one is read into another buffer; therefore a chunk is as long as a block. Two
 * buffers are reused: a stream allocates new memory for each chunk, which takes as long as the reading.
 */
export async function* readAhead(fd: number, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  const buffers = [Buffer.allocUnsafeSlow(BLOCK), Buffer.allocUnsafeSlow(BLOCK)] as const;
  const next = (turn: number, at: number) => readFrom(fd, buffers[turn & 1]!, 0, BLOCK, at);
  let at = 0;
  let reading = next(0, at);
  try {
    for (let turn = 1; ; turn++) {
      const { bytesRead, buffer } = await reading;
      if (bytesRead === 0) return;
      at += bytesRead;
      reading = next(turn, at);
      onBytes(at);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    // After an early end the error of the pending read is ignored.
    await reading.catch(() => {});
  }
}
