import { Button, Classes } from '@blueprintjs/core';
import { Popover } from '../kit/float/Popover.tsx';
import {
  ClipboardIcon,
  EditIcon,
  FlowLinearIcon,
  GlobeNetworkIcon,
  HelpIcon,
  HistoryIcon,
  MoreIcon,
  PropertiesIcon,
  RefreshIcon,
  SettingsIcon,
  ShareIcon,
  SortIcon,
  SwapHorizontalIcon,
  TimelineEventsIcon,
  TrashIcon,
} from '../kit/icons.tsx';
import { useId, type ReactElement } from 'react';
import { Link } from 'react-router-dom';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useT } from '../kit/language.ts';
import { useCopy } from '../kit/CopyButton.tsx';
import { IconButton } from '../kit/IconAction.tsx';
import { T } from '../kit/T.tsx';
import './DomainMenu.css';
import type { ToastPlace } from '../kit/toasts.tsx';
import { useRemoveDomain } from '../domains/useRemoveDomain.ts';
import { useOpenDialog } from '../kit/dialog/useUrlDialog.ts';

/** The fields of a domain that the actions need. */
type Domain = Pick<DomainView, 'id' | 'domain_name' | 'unicode_name' | 'type'>;

/** The dialogs about a domain, by their name in the URL. */
const DIALOGS = {
  domain: { icon: <EditIcon />, text: 'sites.edit' },
  dns: { icon: <GlobeNetworkIcon />, text: 'sites.dns' },
  transfer: { icon: <SwapHorizontalIcon />, text: 'sites.transfer' },
  redirects: { icon: <FlowLinearIcon />, text: 'sites.redirects' },
  rules: { icon: <PropertiesIcon />, text: 'sites.rules' },
  transfers: { icon: <TimelineEventsIcon />, text: 'sites.transfers' },
  renew: { icon: <RefreshIcon />, text: 'sites.renew' },
  positions: { icon: <SortIcon />, text: 'sites.positions' },
  checks: { icon: <HistoryIcon />, text: 'sites.history' },
  why: { icon: <HelpIcon />, text: 'sites.why' },
} as const satisfies Record<string, { icon: ReactElement; text: Key }>;
type DialogName = keyof typeof DIALOGS;

/** Returns the dialogs that a domain has: only main domains are moved, to reserve ones. */
const dialogsOf = (names: readonly DialogName[], { type }: Domain): readonly DialogName[] =>
  type === 'main' ? names : names.filter((name) => name !== 'transfer');

interface MenuItemProps {
  icon: ReactElement;
  text: Key;
  danger?: boolean;
  onClick: () => void;
}

function MenuItem({ icon, text, danger = false, onClick }: MenuItemProps) {
  const look = `${Classes.MENU_ITEM} ${Classes.POPOVER_DISMISS} ${danger ? 'bad' : ''}`;
  return (
    <li>
      <button type="button" className={look} onClick={onClick}>
        {icon}
        <span className={Classes.FILL}>
          <T k={text} />
        </span>
      </button>
    </li>
  );
}

function MenuLink({ to, href, icon, text }: { to?: string; href?: string; icon: ReactElement; text: Key }) {
  const content = (
    <>
      {icon}
      <span className={Classes.FILL}>
        <T k={text} />
      </span>
    </>
  );
  const className = `${Classes.MENU_ITEM} ${Classes.POPOVER_DISMISS}`;
  return (
    <li>
      {to === undefined ? (
        <a href={href} target="_blank" rel="noopener noreferrer" className={className}>
          {content}
        </a>
      ) : (
        <Link to={to} className={className}>
          {content}
        </Link>
      )}
    </li>
  );
}

interface ItemsProps {
  domain: Domain;
  /** The dialogs in the menu; the others are icons beside it. */
  dialogs: readonly DialogName[];
  /** Moves the focus to the menu's button, so that a dialog returns it there when it closes. */
  leave: () => void;
  onRemove: () => void;
}

function DialogItem({ name, id, leave }: { name: DialogName; id: number; leave: ItemsProps['leave'] }) {
  const open = useOpenDialog();
  const show = (): void => {
    leave();
    open(name, id);
  };
  return <MenuItem {...DIALOGS[name]} onClick={show} />;
}

function Items({ domain, dialogs, leave, onRemove }: ItemsProps) {
  const copy = useCopy(domain.domain_name);
  return (
    <ul className={`${Classes.MENU} domain-menu`}>
      {dialogsOf(dialogs, domain).map((name) => (
        <DialogItem key={name} name={name} id={domain.id} leave={leave} />
      ))}
      <MenuLink to={`/dns?domain=${domain.domain_name}`} icon={<SettingsIcon />} text="sites.change_dns" />
      <MenuLink href={`http://${domain.domain_name}/`} icon={<ShareIcon />} text="sites.open" />
      <MenuItem icon={<ClipboardIcon />} text="sites.copy_name" onClick={() => void copy()} />
      <MenuItem danger icon={<TrashIcon />} text="sites.delete" onClick={onRemove} />
    </ul>
  );
}

const ALL = Object.keys(DIALOGS) as DialogName[];

interface DomainMenuProps {
  domain: Domain;
  place: ToastPlace;
  dialogs?: readonly DialogName[];
  /** The edge of the button that the menu is aligned with. */
  align?: 'start' | 'end';
  /** Called once the domain is deleted; by default its list takes the focus. */
  onRemoved?: () => void;
}

/** The actions of a domain as a menu behind three dots. The screen has to mount `DomainDialogs`. */
export function DomainMenu({ domain, place, dialogs = ALL, align = 'end', onRemoved }: DomainMenuProps) {
  const t = useT();
  const id = useId();
  const leave = (): void => document.getElementById(id)?.focus();
  // The row disappears with the button of its menu.
  const toList = (): void => {
    const button = document.getElementById(id);
    if (button === document.activeElement) button?.closest<HTMLElement>('.rows')?.focus();
  };
  const remove = useRemoveDomain(place, onRemoved ?? toList);
  const onRemove = (): void => {
    leave();
    void remove(domain);
  };
  return (
    <Popover content={<Items domain={domain} dialogs={dialogs} leave={leave} onRemove={onRemove} />} align={align}>
      {(target) => (
        <IconButton
          {...target}
          id={id}
          icon={<MoreIcon />}
          aria-label={t('sites.action_on', { action: t('sites.more'), name: domain.unicode_name })}
          title={t('sites.more')}
        />
      )}
    </Popover>
  );
}

const ICONS: readonly DialogName[] = ['domain', 'dns', 'transfer', 'redirects'];
const BEHIND_DOTS = ALL.filter((name) => !ICONS.includes(name));

/** The most frequent actions as icons, the rest behind three dots. */
export function DomainActions({ domain, place }: { domain: Domain; place: ToastPlace }) {
  const t = useT();
  const open = useOpenDialog();
  const labelOf = (action: string): string => t('sites.action_on', { action, name: domain.unicode_name });
  return (
    <span className="icon-actions domain-icons">
      {dialogsOf(ICONS, domain).map((name) => (
        <IconButton
          key={name}
          icon={DIALOGS[name].icon}
          data-tip={t(DIALOGS[name].text)}
          aria-label={labelOf(t(DIALOGS[name].text))}
          onClick={() => open(name, domain.id)}
        />
      ))}
      <DomainMenu domain={domain} place={place} dialogs={BEHIND_DOTS} />
    </span>
  );
}

/** The dialog that a domain most needs, if it needs one. */
function urgentOf({ type, status, expired_at }: UrgentDomain): DialogName | undefined {
  if (type === 'main' && status === 'blocked') return 'transfer';
  if (expired_at !== null && Date.parse(expired_at) < Date.now()) return 'renew';
  return undefined;
}

type UrgentDomain = Domain & Pick<DomainView, 'status' | 'expired_at'>;

/** The one act that a domain needs as a button, and all others behind three dots. */
export function PhoneActs({ domain, place }: { domain: UrgentDomain; place: ToastPlace }) {
  const urgent = urgentOf(domain);
  return (
    <span className="icon-actions">
      {urgent && <DialogButton name={urgent} domain={domain} />}
      <DomainMenu domain={domain} place={place} />
    </span>
  );
}

function DialogButton({ name, domain }: { name: DialogName; domain: Domain }) {
  const t = useT();
  const open = useOpenDialog();
  const action = t(DIALOGS[name].text);
  return (
    <Button
      text={action}
      aria-label={t('sites.action_on', { action, name: domain.unicode_name })}
      onClick={() => open(name, domain.id)}
    />
  );
}
