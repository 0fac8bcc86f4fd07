// The process that imports a list for a server: it receives one request, reports progress, and sends the result.
import { importList, type ImportRequest } from './import.ts';

const PROGRESS_EVERY_MS = 200;

process.on('disconnect', () => process.exit(1));
process.once('message', (request: ImportRequest) => {
  let reportedAt = -Infinity;
  const onBytes = (bytes: number): void => {
    const now = performance.now();
    if (now - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = now;
    process.send?.({ bytes });
  };
  importList(request, onBytes).then(
    (imported) => process.send?.({ imported }),
    ({ code, message }: NodeJS.ErrnoException) => process.send?.({ error: { code, message } }),
  );
});
