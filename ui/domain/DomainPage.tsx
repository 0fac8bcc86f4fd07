import { useEffect } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { isFinal } from '../../src/shared/operations.ts';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import { DomainDialogs } from '../portfolio/DomainDialogs.tsx';
import type { DeletedDomain } from '../../src/shared/portfolio/domains.ts';
import { BringBack, DeletedText, useDeleted } from '../domains/DeletedDomain.tsx';
import { domainPath } from '../domains/DomainLink.tsx';
import { ApiError, call, refresh, useCall, type AnswerOf } from '../kit/api.ts';
import { EmptyState } from '../kit/EmptyState.tsx';
import { useT } from '../kit/language.ts';
import { BareScreen, useTitleText } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { useOperations } from '../operations/operations.ts';
import { Facts } from './Facts.tsx';
import { MovePanel } from './MovePanel.tsx';
import { PageHead } from './PageHead.tsx';
import { PageTabs } from './PageTabs.tsx';
import { Pictures } from './Pictures.tsx';
import './page.css';
import './DomainPage.css';

/** The data of a domain's page. */
export type Page = AnswerOf<'GET /api/domain_pages/:name'>['data'];

const isNotFound = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

/** Stands in place of a domain that the caller has deleted, and brings it back. */
function Deleted({ domain }: { domain: DeletedDomain }) {
  const t = useT();
  return (
    <BareScreen title={t('domain_back.deleted', { name: domain.unicode_name })}>
      <DeletedText domain={domain}>
        <BringBack domain={domain} place="top" />
      </DeletedText>
    </BareScreen>
  );
}

/** Stands in place of a domain that is not there for the caller: unknown, deleted, or another's. */
function Missing({ name }: { name: string }) {
  const t = useT();
  const deleted = useDeleted(name);
  if (deleted) return <Deleted domain={deleted} />;
  if (deleted === undefined) {
    return (
      <BareScreen title={name}>
        <Skeleton label={t('ui.loading')} />
      </BareScreen>
    );
  }
  return (
    <BareScreen title={t('domain_page.missing', { name })}>
      <EmptyState
        action={
          <Link to={`/sites?search=${encodeURIComponent(name)}`}>
            <T k="nav.all_sites" />
          </Link>
        }
      >
        <T k="domain_page.missing_text" />
      </EmptyState>
    </BareScreen>
  );
}

/** Leads to the page under the new name, where a domain has been renamed while its page was open. */
function useRename(id: number | undefined, isGone: boolean): void {
  const navigate = useNavigate();
  const { search } = useLocation();
  useEffect(() => {
    if (!isGone || id === undefined) return undefined;
    let isLeft = false;
    call('GET /api/domains/:id', { params: { id } }).then(
      ({ data }) => isLeft || navigate({ pathname: domainPath(data.domain_name), search }, { replace: true }),
      // Deleted: the page says so already.
      () => undefined,
    );
    return () => {
      isLeft = true;
    };
  }, [id, isGone, navigate, search]);
}

/** Reads the page anew where a move has begun: it may be one of its domain. */
function useMovesBegun(): void {
  const moves = useOperations().flatMap(({ id, kind, state }) => (kind === 'transfer' && !isFinal(state) ? id : []));
  const running = moves.join();
  useEffect(() => {
    if (running !== '') void refresh('GET /api/domain_pages/:name');
  }, [running]);
}

function Loaded({ page }: { page: Page }) {
  const { domain } = page;
  useTitleText(domain.unicode_name);
  useMovesBegun();
  return (
    <>
      <PageHead page={page} />
      {page.moving !== null && <MovePanel key={page.moving} id={page.moving} />}
      <Facts domain={domain} />
      <Pictures id={domain.id} />
      <PageTabs page={page} />
      <DomainDialogs place="top" />
    </>
  );
}

/** The page of the domain that its path names, in punycode or not. */
export function DomainPage() {
  const t = useT();
  const { name = '' } = useParams();
  const typed = toUnicode(name);
  const { data, error, refetch } = useCall('GET /api/domain_pages/:name', { params: { name } });
  const page = data?.data;
  const isGone = isNotFound(error);
  useRename(page?.domain.id, isGone);
  if (isGone) return <Missing name={page?.domain.unicode_name ?? typed} />;
  if (page) return <Loaded key={page.domain.id} page={page} />;
  return (
    <BareScreen title={typed}>
      {error ? (
        <Failed sentence="domain_page.failed" reason={error.message} retry={() => void refetch()} />
      ) : (
        <Skeleton label={t('ui.loading')} />
      )}
    </BareScreen>
  );
}
