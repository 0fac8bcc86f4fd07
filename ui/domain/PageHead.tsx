import { Button } from '@blueprintjs/core';
import { flushSync } from 'react-dom';
import { Link, useNavigate } from 'react-router-dom';
import { DomainMenu } from '../portfolio/DomainMenu.tsx';
import { SiteIcon } from '../domains/DomainLink.tsx';
import { TypeTag } from '../domains/DomainState.tsx';
import { BusyButton } from '../kit/BusyButton.tsx';
import { CopyIcon } from '../kit/CopyButton.tsx';
import { ChevronRightIcon, RefreshIcon, SwapHorizontalIcon } from '../kit/icons.tsx';
import { useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { transferPath } from '../operations/transferPath.ts';
import { useTransferDialog } from '../transfers/useTransferDialog.ts';
import type { Page } from './DomainPage.tsx';
import { StateSentence } from './StateSentence.tsx';
import { useCheckNow } from './useCheckNow.ts';

const DIALOGS = ['domain', 'dns', 'rules', 'transfers', 'renew', 'why'] as const;

function Way({ domain: { project_id, project_name } }: Page) {
  const t = useT();
  return (
    <nav className="domain-way" aria-label={t('domain_page.back')}>
      <Link to="/sites">
        <T k="nav.all_sites" />
      </Link>
      {project_id !== null && (
        <>
          <ChevronRightIcon size={12} />
          <Link to={`/projects/${project_id}`}>{project_name}</Link>
        </>
      )}
    </nav>
  );
}

/** The act that the page is for: to move a main domain, or to look at its move; else the check takes its place. */
function useMoveAct({ domain: { id, type, project_id }, reserves, moving }: Page) {
  const t = useT();
  const transfer = useTransferDialog();
  const navigate = useNavigate();
  const [first] = reserves;
  if (moving !== null) return { text: t('domain_page.show_move'), run: () => void navigate(transferPath(moving)) };
  if (type !== 'main' || project_id === null || first === undefined) return undefined;
  // A reserve that is not ready is not proposed: the dialog says what each of them lacks.
  if (first.state !== 'ready') return { text: t('sites.transfer'), run: () => transfer.open(id, null) };
  const name = first.unicode_name;
  return { text: t('domain_page.move_to', { name }), run: () => transfer.open(id, first.id) };
}

/** The name of a domain, its state in a sentence, and its acts. */
export function PageHead({ page }: { page: Page }) {
  const t = useT();
  const { domain } = page;
  const { unicode_name: name } = domain;
  const { isBusy, check } = useCheckNow(domain.id);
  const move = useMoveAct(page);
  const navigate = useNavigate();
  // The page is left before anything is read anew: there is nothing of it any more.
  const toList = (): void => flushSync(() => void navigate('/sites'));
  return (
    <>
      <Way {...page} />
      <div className="screen-head domain-head">
        <div className="domain-title">
          <h1 className="bp6-heading" translate="no" title={domain.domain_name}>
            {name}
          </h1>
          <span className="icon-actions">
            <CopyIcon text={domain.domain_name} name={name} />
            <SiteIcon {...domain} />
          </span>
          <TypeTag type={domain.type} />
        </div>
        <div className="screen-actions">
          <DomainMenu domain={domain} place="top" dialogs={DIALOGS} onRemoved={toList} />
          <BusyButton
            intent={move ? 'none' : 'primary'}
            busy={isBusy}
            icon={<RefreshIcon />}
            text={t('domain_page.check')}
            onClick={() => void check()}
          />
          {move && <Button intent="primary" icon={<SwapHorizontalIcon />} text={move.text} onClick={move.run} />}
        </div>
        <StateSentence page={page} />
      </div>
    </>
  );
}
