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

/** The line to the server, as it is now. */
interface Line {
  lastEventId: string;
  /** Ends the stream; undefined while the page is hidden. */
  abort: AbortController | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Before the next try. */
  pause: number;
  /** Events may have been missed since a stream was open. */
  hasGap: boolean;
  /** Called after a gap. */
  onBack: () => void;
}

function hangUp(line: Line): void {
  clearTimeout(line.timer);
  line.abort?.abort();
  line.abort = undefined;
  line.hasGap = true;
  setLine('none');
}

/** A stream has been opened: what it could not tell is read. */
function opened(line: Line): void {
  line.pause = FIRST_PAUSE_MS;
  setLine('live');
  if (!line.hasGap) {
    // Changes between the first read of the lists and this stream have sent no event: they are read again.
    void refresh('GET /api/operations');
    domainsChanged();
    return;
  }
  line.hasGap = false;
  void queries.invalidateQueries({ refetchType: 'active' });
  line.onBack();
}

/** Reads a stream to its end, and opens the next one after a pause, unless the line was hung up or dialled again meanwhile. */
async function dial(line: Line): Promise<void> {
  clearTimeout(line.timer);
  const own = new AbortController();
  line.abort = own;
  const silence = watchSilence(
    () => own === line.abort && setLine('slow'),
    () => own.abort(),
  );
  try {
    silence.heard();
    const text = await openStream('GET /api/events', line.lastEventId, own.signal);
    opened(line);
    const onId = (id: string): void => {
      line.lastEventId = id;
    };
    const onHeard = (): void => {
      silence.heard();
      if (own === line.abort) setLine('live');
    };
    await readEvents(text, onChange, onId, onHeard);
  } catch {
    // Refused, disconnected or aborted: retried below, unless the page was hidden meanwhile.
  }
  silence.stop();
  if (own !== line.abort) return;
  line.hasGap = true;
  const isThere = await answers(AbortSignal.timeout(SLOW_MS));
  if (own !== line.abort) return;
  setLine(isThere ? 'cut' : 'lost');
  line.timer = setTimeout(() => void dial(line), line.pause);
  line.pause = Math.min(line.pause * 2, LONGEST_PAUSE_MS);
}

/**
 * Listens while the page is visible, because all tabs share the browser's few connections per host; reconnects with
 * growing pauses, and reads what is shown anew after a gap.
 */
function listen(onBack: () => void): () => void {
  const line: Line = {
    lastEventId: '',
    abort: undefined,
    timer: undefined,
    pause: FIRST_PAUSE_MS,
    hasGap: false,
    onBack,
  };
  const again = (): void => {
    if (document.visibilityState === 'hidden') return;
    line.pause = FIRST_PAUSE_MS;
    line.abort?.abort();
    void dial(line);
  };
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') hangUp(line);
    else if (!line.abort) void dial(line);
  };
  // The computer has no network: the stream itself would find out late. Whether the server answers is asked.
  const onOffline = (): void => line.abort?.abort();
  tryNow = again;
  document.addEventListener('visibilitychange', onVisibility);
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', again);
  onVisibility();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('online', again);
    hangUp(line);
  };
}

/** Keeps operations, domains and notices in sync with the server. Mounted once; remounted for another token or language. */
export function Events(): null {
  useEffect(() => listen(() => void lookForVersion()), []);
  return null;
}
