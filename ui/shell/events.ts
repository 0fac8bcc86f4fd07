import { useEffect } from 'react';
import type { OperationView } from '../../src/shared/operations.ts';
import { ApiError, call, openStream, queries, refresh, type AnswerOf } from '../kit/api.ts';
import { setLine } from '../kit/live.ts';
import { refreshDomains } from '../operations/operations.ts';
import { lookForVersion } from './version.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 8000;
// The server says something each second.
const SLOW_MS = 2500;
const LOST_MS = 20_000;
const NOTICES_EVERY_MS = 5000;
const DOMAINS_EVERY_MS = 3000;
const LISTS_EVERY_MS = 1000;

interface Change {
  event: string;
  data: string;
}

/** Reads a stream of server-sent events to its end, with all that comes; `onId` gets the id to resume from after a disconnect. */
async function readEvents(
  text: ReadableStream<string>,
  onChange: (change: Change) => void,
  onId: (id: string) => void,
  onHeard: () => void,
): Promise<void> {
  const reader = text.getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onHeard();
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line] as const));
      const field = (name: string): string => fields.get(name)?.slice(name.length + 2) ?? '';
      if (fields.has('id')) onId(field('id'));
      if (fields.has('event')) onChange({ event: field('event'), data: field('data') });
    }
  }
}

/** Runs at once, then at most once per `ms`; calls meanwhile cause one more run at the end. */
function throttled(run: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  return function call(): void {
    if (timer !== undefined) {
      again = true;
      return;
    }
    run();
    timer = setTimeout(() => {
      timer = undefined;
      if (!again) return;
      again = false;
      call();
    }, ms);
  };
}

const domainsChanged = throttled(() => void refreshDomains(), DOMAINS_EVERY_MS);

const noticesChanged = throttled(() => void refresh('GET /api/notices'), NOTICES_EVERY_MS);

// The pages of the list, whose keys have a third part; `operationChanged` updates the tray's own list.
const listsChanged = throttled(() => {
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'GET /api/operations' && queryKey.length > 2,
  });
  void refresh('GET /api/operations/:id/items', 'GET /api/transfer_pages/:id');
}, LISTS_EVERY_MS);

// An answer that is under way may be older than an event, and would replace what it told: it is asked for anew.
function operationChanged(operation: OperationView): void {
  const { id } = operation;
  const list = { queryKey: ['GET /api/operations', {}], exact: true };
  const one = { queryKey: ['GET /api/operations/:id', { params: { id } }], exact: true };
  queries.setQueryData<AnswerOf<'GET /api/operations'>>(list.queryKey, (answer) => {
    if (!answer) return answer;
    const others = answer.data.filter((other) => other.id !== id);
    return { ...answer, data: [...others, operation].sort((first, second) => second.id - first.id) };
  });
  // A first answer is waited for: with changes all the time the list would never come.
  if (queries.isFetching(list) > 0) void queries.invalidateQueries(list);
  queries.setQueryData<OperationView>(one.queryKey, (known) => known && operation);
  if (queries.isFetching(one) > 0) void queries.cancelQueries(one).then(() => queries.invalidateQueries(one));
  listsChanged();
}

function onChange({ event, data }: Change): void {
  if (event === 'operation') operationChanged(JSON.parse(data) as OperationView);
  if (event === 'domain') domainsChanged();
  if (event === 'notice') noticesChanged();
}

/** Whether the server answers at all, asked where its events do not come. */
const answers = async (signal: AbortSignal): Promise<boolean> =>
  call('GET /api/health', { signal }).then(
    () => true,
    (error: unknown) => error instanceof ApiError && error.status !== 0,
  );

/** Calls back when nothing was heard for a while: the server is slow, then it is given up. */
function watchSilence(onSlow: () => void, onLost: () => void): { heard: () => void; stop: () => void } {
  let slow: ReturnType<typeof setTimeout> | undefined;
  let lost: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(slow);
    clearTimeout(lost);
  };
  const heard = (): void => {
    stop();
    slow = setTimeout(onSlow, SLOW_MS);
    lost = setTimeout(onLost, LOST_MS);
  };
  return { heard, stop };
}

/** Calls back when the line is to be tried at once, by hand. */
let tryNow: () => void = () => undefined;

/** Tries to reach the server again, now. */
export const reconnect = (): void => tryNow();

/**
 * Listens while the page is visible, because all tabs share the browser's few connections per host; reconnects with
 * growing pauses, and reads what is shown anew after a gap.
 */
function listen(onBack: () => void): () => void {
  let lastEventId = '';
  let abort: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_PAUSE_MS;
  let hasGap = false;

  const stop = (): void => {
    clearTimeout(timer);
    abort?.abort();
    abort = undefined;
    hasGap = true;
    setLine('none');
  };
  const onOpen = (): void => {
    pause = FIRST_PAUSE_MS;
    setLine('live');
    if (!hasGap) {
      // Changes between the first read of the lists and this stream have sent no event: they are read again.
      void refresh('GET /api/operations');
      domainsChanged();
      return;
    }
    hasGap = false;
    void queries.invalidateQueries({ refetchType: 'active' });
    onBack();
  };
  const start = async (): Promise<void> => {
    clearTimeout(timer);
    const own = new AbortController();
    abort = own;
    const silence = watchSilence(
      () => own === abort && setLine('slow'),
      () => own.abort(),
    );
    try {
      silence.heard();
      const text = await openStream('GET /api/events', lastEventId, own.signal);
      onOpen();
      const onId = (id: string): void => {
        lastEventId = id;
      };
      const onHeard = (): void => {
        silence.heard();
        if (own === abort) setLine('live');
      };
      await readEvents(text, onChange, onId, onHeard);
    } catch {
      // Refused, disconnected or aborted: retried below, unless the page was hidden meanwhile.
    }
    silence.stop();
    if (own !== abort) return;
    hasGap = true;
    const isThere = await answers(AbortSignal.timeout(SLOW_MS));
    if (own !== abort) return;
    setLine(isThere ? 'cut' : 'lost');
    timer = setTimeout(() => void start(), pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };
  const again = (): void => {
    if (document.visibilityState === 'hidden') return;
    pause = FIRST_PAUSE_MS;
    abort?.abort();
    void start();
  };
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') stop();
    else if (!abort) void start();
  };
  // The computer has no network: the stream itself would find out late. Whether the server answers is asked.
  const onOffline = (): void => abort?.abort();
  tryNow = again;
  document.addEventListener('visibilitychange', onVisibility);
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', again);
  onVisibility();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('online', again);
    stop();
  };
}

/** Keeps operations, domains and notices in sync with the server. Mounted once; remounted for another token or language. */
export function Events(): null {
  useEffect(() => listen(() => void lookForVersion()), []);
  return null;
}
