// How choices that are stored at once are sent to the server.

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

// Calls that still wait when the page is left are sent in order, without waiting for answers: they would be lost.
addEventListener('pagehide', () => {
  for (const { send, resolve, reject } of waiting.splice(0)) send().then(resolve, reject);
});

/**
 * Makes calls that store a person's choices one after another: of two that were on their way at once the earlier one could be
 * stored last. `send` makes its call with `keepalive`. Throws what it throws.
 */
export const inTurn = (send: () => Promise<unknown>): Promise<void> =>
  new Promise((resolve, reject) => {
    waiting.push({ send, resolve, reject });
    if (!isSending) void sendNext();
  });

/** Resolves when all choices of before are stored: what is read earlier would take them back. */
export const allSent = (): Promise<void> => inTurn(() => Promise.resolve());
