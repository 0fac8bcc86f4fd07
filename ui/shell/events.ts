import { useEffect } from 'react';
import type { OperationView } from '../../src/shared/operations.ts';
import { openStream, queries, refresh, type AnswerOf } from '../kit/api.ts';
import { setLive } from '../kit/live.ts';
import { refreshDomains } from '../operations/operations.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const DOMAINS_EVERY_MS = 3000;
const LISTS_EVERY_MS = 1000;

interface Change {
  event: string;
  data: string;
}

/** Reads a stream of server-sent events to its end. `onId` gets the id to resume from after a disconnect. */
async function readEvents(
  text: ReadableStream<string>,
  onChange: (change: Change) => void,
  onId: (id: string) => void,
): Promise<void> {
  const reader = text.getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
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

// The pages of the list, whose keys have a third part; `operationChanged` updates the tray's own list.
const listsChanged = throttled(() => {
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'GET /api/operations' && queryKey.length > 2,
  });
  void refresh('GET /api/operations/:id/items');
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
}

/**
 * Listens while the page is visible, because all tabs share the browser's few connections per host; reconnects with
 * growing pauses.
 */
function listen(): () => void {
  let lastEventId = '';
  let abort: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_PAUSE_MS;

  const stop = (): void => {
    clearTimeout(timer);
    abort?.abort();
    abort = undefined;
    setLive(false);
  };
  const start = async (): Promise<void> => {
    const own = new AbortController();
    abort = own;
    try {
      const text = await openStream('GET /api/events', lastEventId, own.signal);
      pause = FIRST_PAUSE_MS;
      setLive(true);
      void refresh('GET /api/operations');
      // Changes between the last read of the lists and this stream have sent no event: read them again.
      domainsChanged();
      await readEvents(text, onChange, (id) => {
        lastEventId = id;
      });
    } catch {
      // Refused, disconnected or aborted: retried below, unless the page was hidden meanwhile.
    }
    if (own !== abort) return;
    setLive(false);
    timer = setTimeout(() => void start(), pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') stop();
    else if (!abort) void start();
  };
  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    stop();
  };
}

/** Keeps operations and domains in sync with the server. Mounted once; remounted for another token or language. */
export function Events(): null {
  useEffect(() => listen(), []);
  return null;
}
