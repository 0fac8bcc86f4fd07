import { Button, Card, Tag } from '@blueprintjs/core';
import { useId, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { DomainCounts } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useCall } from '../kit/api.ts';
import { CopyButton } from '../kit/CopyButton.tsx';
import { SmallCrossIcon, TickIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { keep, readKept } from '../kit/reader/storage.ts';
import { useSession } from '../kit/session.ts';
import { T } from '../kit/T.tsx';
import './FirstSteps.css';

const CRON = '0 * * * * seo-admin check all --quiet';
const DEMO = 'seo-admin serve --demo';

// A user with more domains needs no first steps.
const FEW_DOMAINS = 50;

const HIDDEN = 'first-steps-hidden';

/** Whether the user has put the first steps away in this browser, and a function that does. */
function useHidden(): [boolean, () => void] {
  const { user } = useSession();
  const key = `${HIDDEN}/${user?.id ?? 0}`;
  const [isHidden, setHidden] = useState(() => readKept(key) !== null);
  const hide = (): void => {
    keep(key, '1');
    setHidden(true);
  };
  return [isHidden, hide];
}

interface FirstStep {
  title: Key;
  text: Key;
  done: boolean;
  to?: string;
  children?: ReactNode;
}

/** Returns the first steps, each with whether it is done; undefined while that is not known. */
function useSteps(counts: DomainCounts, onTelegram: () => void): FirstStep[] | undefined {
  const telegram = useCall('GET /api/telegram').data;
  const projects = useCall('GET /api/user_projects');
  const accounts = useCall('GET /api/cloudflare_accounts').data?.data;
  const servers = useCall('GET /api/servers').data?.data;
  if (!telegram || !projects.data || !accounts || !servers) return undefined;
  return [
    { title: 'guide.domains', text: 'guide.domains_text', to: '/import', done: counts.all > 0 },
    {
      title: 'guide.cdn',
      text: 'guide.cdn_text',
      to: '/cloudflare',
      done: accounts.some(({ checked_at, check_error }) => checked_at !== null && check_error === null),
    },
    { title: 'guide.server', text: 'guide.server_text', to: '/servers', done: servers.length > 0 },
    {
      title: 'guide.project',
      text: 'guide.project_text',
      to: '/projects',
      done: projects.data.data.some(({ main_count, transfer_count }) => main_count > 0 && transfer_count > 0),
    },
    {
      title: 'guide.checks',
      text: 'guide.checks_text',
      done: counts.active + counts.broken + counts.blocked > 0,
      children: (
        <>
          <code>{CRON}</code> <CopyButton text={CRON} />
        </>
      ),
    },
    {
      title: 'guide.telegram',
      text: 'guide.telegram_text',
      to: '/settings?section=telegram',
      // A name alone reaches nobody: the chat is linked in the settings.
      done: telegram.link !== null,
      children: (
        <>
          {telegram.bot.state === 'off' && (
            <p>
              <T k="telegram.state_off" />
            </p>
          )}
          {telegram.claimed === null && (
            <Button size="small" text={<T k="dashboard.telegram" />} onClick={onTelegram} />
          )}
        </>
      ),
    },
  ];
}

function Title({ title, to }: Pick<FirstStep, 'title' | 'to'>) {
  return to === undefined ? (
    <T k={title} />
  ) : (
    <Link to={to}>
      <T k={title} />
    </Link>
  );
}

const Steps = ({ steps, id }: { steps: readonly FirstStep[]; id: string }) => (
  <div id={id}>
    <ol>
      {steps.map(({ title, text, done, to, children }) => (
        <li key={title}>
          <strong>
            <Title title={title} {...(to !== undefined && { to })} />
          </strong>{' '}
          {done && (
            <Tag minimal intent="success" icon={<TickIcon />}>
              <T k="guide.done" />
            </Tag>
          )}
          <div className="muted">
            <T k={text} />
          </div>
          {!done && children}
        </li>
      ))}
    </ol>
    <p className="muted first-demo">
      <T k="guide.demo" /> <code>{DEMO}</code>
    </p>
  </div>
);

/**
 * Whether the first steps are shown: to a user with few domains who has not put them away, and where a link asked for them.
 * `dismiss` puts them away.
 */
export function useFirstSteps(
  counts: DomainCounts | undefined,
  isAsked: boolean,
): { isShown: boolean; dismiss: () => void } {
  const [isHidden, hide] = useHidden();
  const isShown = isAsked || (!isHidden && counts !== undefined && counts.all <= FEW_DOMAINS);
  const dismiss = (): void => {
    hide();
    // The pressed button disappears, and the focus with it.
    document.getElementById('main')?.focus();
  };
  return { isShown, dismiss };
}

interface FirstStepsProps {
  counts: DomainCounts;
  /** A link asked for them: they are shown also when all are done. */
  isAsked: boolean;
  onTelegram: () => void;
  onDismiss: () => void;
}

/** The first steps: in place of empty lists, or as a line above those of few domains. */
export function FirstSteps({ counts, isAsked, onTelegram, onDismiss }: FirstStepsProps) {
  const t = useT();
  const id = useId();
  const isNew = counts.all === 0;
  const [isOpen, setOpen] = useState(isNew || isAsked);
  const steps = useSteps(counts, onTelegram);
  const next = steps?.find(({ done }) => !done);
  if (!steps || (!next && !isAsked)) return null;
  const done = steps.filter((step) => step.done).length;
  return (
    <Card className="first-steps">
      <div className="first-head">
        <h2 className="bp6-heading">
          <T k="guide.title" />
        </h2>
        <span className="muted">{t('guide.count', { done, total: steps.length })}</span>
        {!isOpen && next && (
          <span>
            <T k="guide.next" /> <Title title={next.title} {...(next.to !== undefined && { to: next.to })} />
          </span>
        )}
        <span className="first-acts">
          {!isNew && (
            <Button
              size="small"
              variant="minimal"
              aria-expanded={isOpen}
              aria-controls={id}
              text={<T k={isOpen ? 'guide.fold' : 'guide.unfold'} />}
              onClick={() => setOpen(!isOpen)}
            />
          )}
          <Button
            size="small"
            variant="minimal"
            icon={<SmallCrossIcon />}
            title={t('guide.hide')}
            aria-label={t('guide.hide')}
            onClick={onDismiss}
          />
        </span>
      </div>
      {isOpen && <Steps id={id} steps={steps} />}
    </Card>
  );
}
