// How what a person has chosen for lists is sent to the server.
import type { ListName, ListSettingsInput } from '../../../src/shared/access/list-views.ts';
import { call } from '../api.ts';

interface Waiting {
  send: () => Promise<unknown>;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const waiting: Waiting[] = [];
let isSending = false;

async function sendNext(): Promise<void> {
  const next = waiting.shift();
  isSending = next !== undefined;
  if (!next) return;
  try {
    await next.send();
    next.resolve();
  } catch (error) {
    next.reject(error);
  }
  await sendNext();
}

// What still waits when the page is left is sent in its order, without waiting for answers.
addEventListener('pagehide', () => {
  for (const { send, resolve, reject } of waiting.splice(0)) send().then(resolve, reject);
});

/**
 * Stores a change of how a person sees a list. Changes are sent one after another: of two that were on their way at once the
 * earlier one could be stored last. Throws ApiError.
 */
export const keepChange = (list: ListName, body: ListSettingsInput): Promise<void> =>
  new Promise((resolve, reject) => {
    const send = () => call('PUT /api/list_settings/:list', { params: { list }, body, keepalive: true });
    waiting.push({ send, resolve, reject });
    if (!isSending) void sendNext();
  });
