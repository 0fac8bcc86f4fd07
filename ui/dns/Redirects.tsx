import { Callout, HTMLTable, Tag } from '@blueprintjs/core';
import { ArrowRightIcon, RefreshIcon, RepeatIcon } from '../kit/icons.tsx';
import { HEALTH_ERRORS } from '../../src/shared/checks/health.ts';
import type { RedirectCheck, RedirectRow } from '../../src/shared/dns/redirects.ts';
import { useCall } from '../kit/api.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyButton } from '../kit/CopyButton.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { T } from '../kit/T.tsx';
import { useNarrow } from '../kit/useNarrow.ts';
import { useT } from '../kit/language.ts';
import './Redirects.css';

/** The code of a response: 2xx success, 3xx redirect, else an error. */
function CodeTag({ status }: { status: number }) {
  const intent = status < 300 ? 'success' : status < 400 ? 'none' : 'danger';
  return (
    <Tag minimal intent={intent}>
      {status}
    </Tag>
  );
}

/** The hops in order, each with its response; a loop ends with the address it returns to. */
function Chain({ check: { redirect: rows, loop } }: { check: RedirectCheck }) {
  const back = loop ? rows.at(-1)?.redirectUrl : null;
  return (
    <ol className="redirect-chain" translate="no">
      {rows.map(({ url, redirectUrl, status }, index) => (
        <li key={`${url} ${redirectUrl}`}>
          {index > 0 && <ArrowRightIcon className="redirect-arrow" />}
          <span className="redirect-url">{url}</span>
          <CodeTag status={status} />
        </li>
      ))}
      {back && (
        <li className="bad">
          <RepeatIcon />
          <span className="redirect-url">{back}</span>
        </li>
      )}
    </ol>
  );
}

function RowTable({ rows, label }: { rows: readonly RedirectRow[]; label: string }) {
  return (
    <HTMLTable compact className="redirect-rows" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">
            <T k="redirects.url" />
          </th>
          <th scope="col">
            <T k="redirects.to" />
          </th>
          <th scope="col">
            <T k="redirects.status" />
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ url, redirectUrl, status }) => (
          <tr key={`${url} ${redirectUrl}`}>
            <td translate="no">{url}</td>
            <td translate={redirectUrl === null ? 'yes' : 'no'}>
              {redirectUrl ?? (
                <span className="muted">
                  <T k="redirects.end" />
                </span>
              )}
            </td>
            <td>
              <CodeTag status={status} />
            </td>
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  );
}

/** The error that stopped the check, if any. */
function Stopped({ check: { error, loop } }: { check: RedirectCheck }) {
  const known = HEALTH_ERRORS.find((one) => one === error);
  if (!known) return null;
  return (
    <Callout intent="danger" icon={loop ? <RepeatIcon /> : undefined} className="redirect-note">
      <T k={loop ? 'redirects.loop' : `health.${known}`} />
    </Callout>
  );
}

function Found({ check }: { check: RedirectCheck }) {
  const t = useT();
  const narrow = useNarrow();
  const { redirect: rows, ms, error } = check;
  const hops = rows.filter(({ redirectUrl }) => redirectUrl !== null).length;
  if (hops === 0) {
    return (
      <>
        <Stopped check={check} />
        {error === null && (
          <EmptyState>
            <T k="redirects.none" />
          </EmptyState>
        )}
        <Chain check={check} />
        {rows.length > 0 && (
          <p className="muted">
            <T k="redirects.time" ms={ms} />
          </p>
        )}
      </>
    );
  }
  const title = t('redirects.chain', { n: hops, ms });
  return (
    <>
      <Stopped check={check} />
      <h3 className="bp6-heading section-title">{title}</h3>
      <Chain check={check} />
      {!narrow && <RowTable rows={rows} label={title} />}
    </>
  );
}

// Single-quoted for a shell. Hosts and redirect addresses should contain no quote, but nothing guarantees that.
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the `curl` command that makes the same check. */
const curlOf = ({ domain, redirect: [first] }: RedirectCheck): string =>
  `curl -sSIL --max-redirs 5 ${quoted(first?.url ?? `https://${domain}/`)}`;

/** The redirect chain of a domain, checked anew where it is opened. */
export function RedirectTest({ id }: { id: number }) {
  const t = useT();
  const { data, error, isFetching, refetch } = useCall('GET /api/check_domain_redirect/:id', { params: { id } });
  return (
    <>
      <div aria-live="polite" aria-busy={isFetching}>
        {data && <Found check={data} />}
        {!data && !error && <Skeleton label={t('ui.loading')} />}
      </div>
      {error && <Failed sentence="redirects.failed" reason={error.message} retry={() => void refetch()} />}
      {data && (
        <div className="redirect-actions">
          <BusyButton
            busy={isFetching}
            icon={<RefreshIcon />}
            text={<T k="redirects.again" />}
            onClick={() => void refetch()}
          />
          <CopyButton text={curlOf(data)} label={t('redirects.curl')} />
        </div>
      )}
    </>
  );
}

/** The same in a dialog. */
export function Redirects({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useT();
  const { data: domain } = useCall('GET /api/domains/:id', { params: { id } });
  const name = domain?.data.unicode_name;
  return (
    <InfoDialog title={name === undefined ? t('sites.redirects') : t('redirects.title', { name })} onClose={onClose}>
      <RedirectTest id={id} />
    </InfoDialog>
  );
}
