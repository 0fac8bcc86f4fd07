import { Button, Card, Tag } from '@blueprintjs/core';
import { TickIcon } from '../kit/icons.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useCall } from '../kit/api.ts';
import { CopyButton } from '../kit/CopyButton.tsx';
import { T } from '../kit/T.tsx';
import './FirstSteps.css';

const CRON = '0 * * * * seo-admin check all --quiet';

interface StepProps {
  title: Key;
  text: Key;
  done?: boolean;
  to?: string;
  children?: ReactNode;
}

function Step({ title, text, done = false, to, children }: StepProps) {
  return (
    <li>
      <strong>
        {to === undefined ? (
          <T k={title} />
        ) : (
          <Link to={to}>
            <T k={title} />
          </Link>
        )}
      </strong>{' '}
      {done && (
        <Tag minimal intent="success" icon={<TickIcon />}>
          <T k="dashboard.first_done" />
        </Tag>
      )}
      <div className="muted">
        <T k={text} />
      </div>
      {children}
    </li>
  );
}

/** Shows a new user the first steps in place of four empty lists. */
export function FirstSteps({ onTelegram }: { onTelegram: () => void }) {
  const user = useCall('GET /api/session');
  const projects = useCall('GET /api/user_projects');
  const blocklist = useCall('GET /api/blocklist');
  return (
    <Card className="first-steps">
      <h2 className="bp6-heading">
        <T k="dashboard.first_title" />
      </h2>
      <ol>
        <Step title="dashboard.first_domains" text="dashboard.first_domains_text" to="/import" />
        <Step title="dashboard.first_list" text="dashboard.first_list_text" done={blocklist.data?.state === 'fresh'} />
        <Step
          title="dashboard.first_projects"
          text="dashboard.first_projects_text"
          to="/projects"
          done={(projects.data?.data.length ?? 0) > 0}
        />
        <Step title="dashboard.first_checks" text="dashboard.first_checks_text">
          <code>{CRON}</code> <CopyButton text={CRON} />
        </Step>
        <Step title="dashboard.first_telegram" text="dashboard.first_telegram_text" done={Boolean(user.data?.telegram)}>
          {!user.data?.telegram && <Button size="small" text={<T k="dashboard.telegram" />} onClick={onTelegram} />}
        </Step>
      </ol>
    </Card>
  );
}
