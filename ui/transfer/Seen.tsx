import { useQuery } from '@tanstack/react-query';
import { isKey, type Key } from '../../src/shared/i18n/index.ts';
import { isFinal, type OperationView } from '../../src/shared/operations.ts';
import { stagesOf } from '../../src/shared/transfers/stages.ts';
import type { MoveSide, MoveView, SeenMove, SeenName } from '../../src/shared/transfers/transfer-page.ts';
import { call, messageOf } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { RefreshIcon } from '../kit/icons.tsx';
import { useFormats, useT } from '../kit/language.ts';
import { Panel } from '../kit/Panel.tsx';
import { Status, type State } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';

/** Asks once when the page is opened and whenever a step has passed or the move has ended; a press asks again. */
function useLook(operation: OperationView, move: MoveView) {
  const done = stagesOf(move).filter(({ state }) => state === 'done').length;
  const stage = `${done} ${isFinal(operation.state)}`;
  return useQuery<SeenMove>({
    queryKey: ['POST /api/transfer_pages/:id/look', operation.id, move.id, stage],
    queryFn: async ({ signal }) => {
      const params = { id: operation.id };
      const { data } = await call('POST /api/transfer_pages/:id/look', { params, body: { move: move.id }, signal });
      return data;
    },
    placeholderData: (before) => before,
    staleTime: Infinity,
    // An opened page must not show an old look.
    refetchOnMount: 'always',
    retry: false,
    refetchOnWindowFocus: false,
  });
}

type Told = { state: State; key: Key; params?: Record<string, string | number> };

/** Returns a visitor's answer as a mark and words. */
function toldOf(seen: SeenName): Told {
  const { status, error, certificate, no_certificate, leads_to, for_good, forwards, is_https, ms } = seen;
  if (forwards && leads_to !== null) {
    return { state: 'healthy', key: 'transfer_page.seen_forwards', params: { name: leads_to } };
  }
  if (certificate !== null) return { state: 'expiring', key: 'transfer_page.seen_certificate' };
  if (no_certificate) return { state: 'expiring', key: 'transfer_page.seen_no_https' };
  if (leads_to !== null) {
    const key = for_good ? 'transfer_page.seen_forwards' : 'transfer_page.seen_leads';
    return { state: 'stale', key, params: { name: leads_to } };
  }
  if (status === null) {
    const key = `health.${error}`;
    return { state: 'broken', key: isKey(key) ? key : 'transfer_page.seen_nothing' };
  }
  const isWell = status >= 200 && status <= 299;
  if (!isWell) return { state: 'broken', key: 'transfer_page.seen_wrong', params: { code: String(status) } };
  if (!is_https) return { state: 'expiring', key: 'transfer_page.seen_no_https' };
  return { state: 'healthy', key: 'transfer_page.seen_page', params: { code: String(status), ms } };
}

/** The window of a browser with what it shows at a name. */
function Window({ side, seen }: { side: MoveSide; seen: SeenName | null | undefined }) {
  const t = useT();
  const told = seen ? toldOf(seen) : undefined;
  const isListed = side.domain?.status === 'blocked';
  return (
    <div className="seen">
      <div className="seen-bar">
        <span className="seen-address" translate="no">
          {seen ? seen.address.replace(/^https?:\/\//, (way) => (way === 'http://' ? way : '')) : side.unicode_name}
        </span>
      </div>
      <div className="seen-page">
        <span className="seen-name" translate="no">
          {side.unicode_name}
        </span>
        {seen === null && (
          <span className="muted">
            <T k="transfer_page.seen_gone" />
          </span>
        )}
        {told && (
          <Status state={told.state}>
            <T k={told.key} {...told.params} />
          </Status>
        )}
        {seen && seen.status !== null && (
          <b>{seen.title === null ? <T k="transfer_page.seen_untitled" /> : <Message text={seen.title} />}</b>
        )}
        {isListed && <span className="muted">{t('transfer_page.seen_listed')}</span>}
      </div>
    </div>
  );
}

/** The answers that visitors of both names get now, requested from outside. */
export function Seen({ operation, move }: { operation: OperationView; move: MoveView }) {
  const t = useT();
  const formats = useFormats();
  const { data, error, isFetching, refetch } = useLook(operation, move);
  const { source, target } = move;
  return (
    <Panel
      title={<T k="transfer_page.seen" />}
      aside={data && <T k="transfer_page.seen_at" time={formats.time(data.at)} />}
    >
      <div className="seen-both" aria-live="polite">
        <Window side={source} seen={data?.source} />
        {target && <Window side={target} seen={data?.target} />}
      </div>
      {error && (
        <p className="bad">
          {t('transfer_page.look_failed')}: <Message text={messageOf(error)} />
        </p>
      )}
      <div className="seen-foot">
        <BusyButton
          size="small"
          icon={<RefreshIcon />}
          busy={isFetching}
          text={isFetching ? <T k="transfer_page.looking" /> : <T k="transfer_page.look" />}
          onClick={() => void refetch()}
        />
        <span className="muted">
          <T k="transfer_page.seen_how" />
        </span>
      </div>
    </Panel>
  );
}
