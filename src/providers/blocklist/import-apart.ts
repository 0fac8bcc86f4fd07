import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Imported, ImportRequest } from './import.ts';

// A list of ten million names needs little heap: its data is in buffers, which the reader limits itself.
const HEAP_MB = 256;
const LONGEST_MS = 10 * 60_000;
const PASSED_ON = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP'];

type FromChild = { bytes: number } | { imported: Imported } | { error: { code?: string; message: string } };

/**
 * Runs `importList` in a process of its own, so that the server keeps answering, and survives if a file crashes the reader.
 * Throws the reader's errors, and an error without a code if the process ends without an answer or takes over ten minutes.
 */
export function importApart(request: ImportRequest, onBytes: (bytes: number) => void): Promise<Imported> {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(isSource ? './import-child.ts' : './import-child.js', import.meta.url);
  const child = fork(fileURLToPath(entry), {
    execArgv: [`--max-old-space-size=${HEAP_MB}`, ...(isSource ? ['--import', 'tsx'] : [])],
    env: Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
  return new Promise<Imported>((resolve, reject) => {
    child.on('message', (message: FromChild) => {
      if ('bytes' in message) onBytes(message.bytes);
      else if ('imported' in message) resolve(message.imported);
      else reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => reject(new Error(`the reader of the list ended with ${signal ?? code}`)));
    child.send(request);
  }).finally(() => {
    clearTimeout(timer);
    child.kill('SIGKILL');
  });
}
