import { Button } from '@blueprintjs/core';
import { lazy, Suspense, useState } from 'react';
import { MOST_RENEWED } from '../../../src/shared/purchases/renewal-sums.ts';
import {
  ClipboardIcon,
  DownloadIcon,
  EditIcon,
  FlowLinearIcon,
  FolderNewIcon,
  FolderOpenIcon,
  GlobeNetworkIcon,
  LockIcon,
  PropertiesIcon,
  RefreshIcon,
  SettingsIcon,
  ShieldIcon,
  SwapHorizontalIcon,
  TimeIcon,
  TrashIcon,
} from '../../kit/icons.tsx';
import { Loading } from '../../kit/Loading.tsx';
import { T } from '../../kit/T.tsx';
import { SelectionBar } from '../../kit/table/SelectionBar.tsx';
import { useNarrow } from '../../kit/useNarrow.ts';
import type { DomainsView } from '../DomainFilters.tsx';
import { BulkMenu, type BulkItem } from './BulkMenu.tsx';
import type { ManyField } from './EditMany.tsx';
import type { ChosenDomains } from './useChosen.ts';
import type { WorkName } from './WorkMany.tsx';
import { useFilterWords } from './useFilterWords.ts';
import type { Done } from './useGiveBack.tsx';
import { useTakeOut } from './useTakeOut.ts';
import './bulk.css';

const EditMany = lazy(async () => ({ default: (await import('./EditMany.tsx')).EditMany }));
const DeleteMany = lazy(async () => ({ default: (await import('./EditMany.tsx')).DeleteMany }));
const WorkMany = lazy(async () => ({ default: (await import('./WorkMany.tsx')).WorkMany }));
const Renew = lazy(async () => ({ default: (await import('../../purchases/Renew.tsx')).Renew }));

const FIELDS: readonly string[] = ['project', 'server', 'account', 'mode'] satisfies ManyField[];
const WORK: readonly string[] = [
  'check',
  'dns',
  'under_attack',
  'tls',
  'deploy',
  'transfer',
  'attach',
] satisfies WorkName[];
const isWork = (name: string): name is WorkName => WORK.includes(name);
const isField = (name: string): name is ManyField => FIELDS.includes(name);

// The first ones stand in the bar, the others in its menu.
const itemsFor = (canRenew: boolean): BulkItem[] => [
  { name: 'transfer', icon: <SwapHorizontalIcon />, text: 'bulk.transfer' },
  { name: 'check', icon: <RefreshIcon />, text: 'bulk.check' },
  { name: 'project', icon: <FolderOpenIcon />, text: 'bulk.project' },
  { name: 'server', icon: <PropertiesIcon />, text: 'bulk.server' },
  { name: 'dns', icon: <GlobeNetworkIcon />, text: 'bulk.dns' },
  { name: 'mode', icon: <SettingsIcon />, text: 'bulk.mode' },
  { name: 'account', icon: <EditIcon />, text: 'bulk.set_account' },
  { name: 'under_attack', icon: <ShieldIcon />, text: 'bulk.under_attack' },
  { name: 'tls', icon: <LockIcon />, text: 'bulk.tls' },
  { name: 'deploy', icon: <FolderNewIcon />, text: 'bulk.deploy' },
  { name: 'attach', icon: <FlowLinearIcon />, text: 'bulk.attach' },
  {
    name: 'renew',
    icon: <TimeIcon />,
    text: 'bulk.renew',
    not: canRenew ? undefined : <T k="renewal.most" n={MOST_RENEWED} />,
  },
  { name: 'export', icon: <DownloadIcon />, text: 'sites.export' },
  { name: 'copy', icon: <ClipboardIcon />, text: 'bulk.copy' },
  { name: 'delete', icon: <TrashIcon />, text: 'bulk.delete', danger: true },
];

interface BulkBarProps {
  chosen: ChosenDomains;
  view: DomainsView;
  total: number;
  /** Called when something was done with them, and nothing is chosen any more. */
  onDone: (message: string, done: Done) => void;
}

/** The acts on the chosen domains of a list, with their dialogs. */
export function BulkBar({ chosen, view, total, onDone }: BulkBarProps) {
  const { selection, count, isAll, ids, isTooMany, body, chooseAll } = chosen;
  const [open, setOpen] = useState('');
  const isNarrow = useNarrow();
  const words = useFilterWords(view);
  const { exportThem, copyThem } = useTakeOut(body);
  const close = (): void => setOpen('');
  const leave = (): void => {
    close();
    selection.clear();
    // The bar goes, and the focus with it.
    document.querySelector<HTMLElement>('.domains .rows')?.focus();
  };
  const done = (message: string, result: Done): void => {
    leave();
    onDone(message, result);
  };
  const act = (name: string): void => {
    if (name === 'export') void exportThem();
    else if (name === 'copy') void copyThem();
    else setOpen(name);
  };
  const items = itemsFor(ids.length > 0 && ids.length <= MOST_RENEWED);
  const inBar = isNarrow ? 2 : 5;
  const dialog = { chosen: body, count, onDone: done, onClose: close };
  return (
    <>
      <SelectionBar
        count={count}
        total={total}
        words={isAll ? words : ''}
        onAll={isAll ? undefined : chooseAll}
        onClear={leave}
        warning={isTooMany && <T k="bulk.many_names" />}
      >
        {items.slice(0, inBar).map(({ name, icon, text }) => (
          <Button
            key={name}
            variant="minimal"
            icon={icon}
            disabled={isTooMany || count === 0}
            text={<T k={text} />}
            onClick={() => act(name)}
          />
        ))}
        <BulkMenu items={items.slice(inBar)} disabled={isTooMany || count === 0} onAct={act} />
      </SelectionBar>
      <Suspense fallback={<Loading />}>
        {isField(open) && <EditMany key={open} field={open} {...dialog} />}
        {isWork(open) && <WorkMany key={open} kind={open} {...dialog} />}
        {open === 'delete' && <DeleteMany {...dialog} />}
        {open === 'renew' && <Renew ids={ids} onStarted={leave} onClose={close} />}
      </Suspense>
    </>
  );
}
