import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import type { TimelineEntry, TimelineKind } from '../../src/shared/timeline/timeline.ts';
import { call } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { useUrlDialog } from '../kit/dialog/useUrlDialog.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import {
  BanCircleIcon,
  DocumentIcon,
  ErrorIcon,
  GlobeNetworkIcon,
  HistoryIcon,
  PropertiesIcon,
  SortIcon,
  SwapHorizontalIcon,
  TickIcon,
} from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { Timeline, type TimelineEvent } from '../kit/pictures/Timeline.tsx';
import { Message, T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { transferPath } from '../operations/transferPath.ts';

const MOST = 30;

const ICONS: Record<TimelineKind, ReactElement> = {
  blocks: <BanCircleIcon />,
  moves: <SwapHorizontalIcon />,
  checks: <TickIcon />,
  dns: <GlobeNetworkIcon />,
  site: <DocumentIcon />,
  positions: <SortIcon />,
  purchases: <PropertiesIcon />,
  log: <HistoryIcon />,
};

/** Marks of what is bad and of its end: the form tells them apart as well. */
function iconOf({ kind, tone }: TimelineEntry): ReactElement {
  if (kind === 'blocks') return tone === 'bad' ? <BanCircleIcon /> : <TickIcon />;
  return kind === 'checks' && tone === 'bad' ? <ErrorIcon /> : ICONS[kind];
}

/** Who has done it; the operation that did opens beside the page, a transfer has a page of its own. */
function Note({ entry: { kind, who, operation_id } }: { entry: TimelineEntry }) {
  const { linkTo } = useUrlDialog('operation');
  if (operation_id === null) return <span translate="no">{who}</span>;
  const { to, state } = kind === 'moves' ? { to: transferPath(operation_id), state: undefined } : linkTo(operation_id);
  return (
    <>
      {who !== null && <span translate="no">{who}, </span>}
      <Link to={to} state={state}>
        <T k={kind === 'moves' ? 'transfer_page.number' : 'domain_page.operation'} id={String(operation_id)} />
      </Link>
    </>
  );
}

const eventOf = (entry: TimelineEntry): TimelineEvent => ({
  id: entry.id,
  at: entry.at,
  icon: iconOf(entry),
  ...(entry.tone !== 'plain' && { tone: entry.tone }),
  text: <Message text={entry.text} />,
  ...((entry.who !== null || entry.operation_id !== null) && { note: <Note entry={entry} /> }),
});

/** Whose past it is. */
export type PastCall = 'GET /api/domains/:id/timeline' | 'GET /api/projects/:id/timeline';

/** Returns what has happened to a domain or a project, part by part, of one kind or of all. */
const useTimeline = (name: PastCall, id: number, kind: TimelineKind | '') =>
  useInfiniteQuery({
    queryKey: [name, { id, kind }],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: MOST,
        ...(kind !== '' && { kinds: kind }),
        ...(pageParam !== '' && { before: pageParam }),
      };
      return call(name, { params: { id }, query, signal });
    },
    getNextPageParam: ({ next }) => next,
  });

/** The entries of a timeline, the newest first, with a button for those before. */
export function Events({ of, id, kind }: { of: PastCall; id: number; kind: TimelineKind | '' }) {
  const t = useT();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useTimeline(of, id, kind);
  if (!data) {
    if (!error) return <Skeleton label={t('ui.loading')} />;
    return <Failed sentence="domain_page.history_failed" reason={error.message} retry={() => void refetch()} />;
  }
  const events = data.pages.flatMap((part) => part.data.map(eventOf));
  if (events.length === 0) {
    return (
      <EmptyState>
        <T k={kind === '' ? 'domain_page.nothing' : 'domain_page.nothing_such'} />
      </EmptyState>
    );
  }
  return (
    <>
      <Timeline events={events} />
      {hasNextPage && (
        <BusyButton
          className="domain-earlier"
          variant="minimal"
          busy={isFetchingNextPage}
          text={<T k="domain_page.earlier" />}
          onClick={() => void fetchNextPage()}
        />
      )}
    </>
  );
}
