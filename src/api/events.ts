import { Readable } from 'node:stream';
import type { Change, Listener } from '../services/system/audience.ts';
import type { EventStream } from '../services/system/events.ts';
import type { Render } from '../shared/i18n/index.ts';
import { renderOperation } from '../shared/operations.ts';
import { route, type Call } from './http/route.ts';

// A page that hears nothing for three seconds says that the server is slow.
const PING_EVERY_MS = 1000;
const RECONNECT_MS = 2000;
// A client with more unread bytes is disconnected at the next event; after it reconnects it gets the current state.
const MOST_WAITING_BYTES = 1024 * 1024;

function textOf(render: Render, change: Change): string {
  if (change.event !== 'operation') return `event: ${change.event}\ndata: ${JSON.stringify(change.data)}\n\n`;
  return `id: ${change.id}\nevent: operation\ndata: ${JSON.stringify(renderOperation(render, change.data))}\n\n`;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Opens a listener's events as a stream of text, which ends with the session, the server or the connection. */
function openStream(
  events: EventStream,
  { signed, render }: Pick<Call<undefined, undefined>, 'signed' | 'render'>,
  lastEventId: string,
): Readable {
  const stream = new Readable({ read: () => undefined });
  const push = (text: string): void => {
    if (stream.readableLength > MOST_WAITING_BYTES) stream.destroy();
    else stream.push(text);
  };
  const listener: Listener = {
    signed,
    send: (changes) => push(changes.map((change) => textOf(render, change)).join('')),
    end: () => {
      clearInterval(ping);
      stream.push(null);
    },
  };
  const stop = events.listen(listener, TIME.test(lastEventId) ? lastEventId : undefined);
  const ping = setInterval(() => push(': ping\n\n'), PING_EVERY_MS);
  stream.once('close', () => {
    clearInterval(ping);
    stop();
  });
  push(`retry: ${RECONNECT_MS}\n\n`);
  return stream;
}

export const events = {
  'GET /api/events': route({
    // The stream ends with its session.
    sessionOnly: true,
    summary: 'Changes as server-sent events: `operation` (as in /api/operations/{id}), `domain` and `notice`',
    answer: 'events',
    run: async ({ server, signed, render, lastEventId }) => openStream(server.events, { signed, render }, lastEventId),
  }),
};
