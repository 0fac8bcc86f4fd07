import { Button, Tab, Tabs, Tag } from '@blueprintjs/core';
import { useState } from 'react';
import { BusyButton } from '../BusyButton.tsx';
import { Chips } from '../Chips.tsx';
import { AddFilter, FilterChip } from '../FilterChip.tsx';
import { IconAction } from '../IconAction.tsx';
import { EditIcon, RefreshIcon, ShieldIcon, SwapHorizontalIcon } from '../icons.tsx';
import { useT } from '../language.ts';
import { Panel } from '../Panel.tsx';
import { T } from '../T.tsx';

const NAME = 'astro-mir.ru';

/** The kinds of buttons, in their states. */
export function Buttons() {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  return (
    <Panel title={<T k="kit.buttons" />}>
      <div className="kit-row">
        <Button intent="primary" icon={<SwapHorizontalIcon />} text={<T k="kit.primary" />} />
        <Button icon={<RefreshIcon />} text={<T k="kit.usual" />} />
        <Button variant="minimal" text={<T k="kit.quiet" />} />
        <Button intent="warning" icon={<ShieldIcon />} text={<T k="kit.caution" />} />
        <Button intent="danger" text={<T k="sites.delete" />} />
        <Button disabled text={<T k="kit.disabled" />} />
        <BusyButton busy={isBusy} text={<T k="kit.busy" />} onClick={() => setBusy(true)} />
        <Button size="small" text={<T k="sites.edit" />} />
        <IconAction icon={<EditIcon />} action={t('sites.edit')} name={NAME} />
      </div>
    </Panel>
  );
}

const CHIPS = ['all', 'blocked', 'broken'] as const;
const LABELS = { all: 'dashboard.total', blocked: 'dashboard.blocked', broken: 'dashboard.broken' } as const;
const COUNTS = { all: 4904, blocked: 15, broken: 38 };

/** Filters of both kinds, the roles of a domain, tags and tabs. */
export function Filters() {
  const t = useT();
  const [chosen, setChosen] = useState<(typeof CHIPS)[number]>('all');
  const [isFiltered, setFiltered] = useState(true);
  return (
    <Panel title={<T k="kit.filters" />}>
      <div className="kit-stack">
        <Chips
          label={t('list.status')}
          chips={CHIPS.map((value) => ({ value, label: <T k={LABELS[value]} />, count: COUNTS[value] }))}
          value={chosen}
          onChange={setChosen}
        />
        <div className="kit-row">
          {isFiltered && <FilterChip name="RKN" value="blocked" onRemove={() => setFiltered(false)} />}
          <AddFilter onClick={() => setFiltered(true)}>
            <T k="kit.add_filter" />
          </AddFilter>
        </div>
        <div className="kit-row">
          <span className="role role-main">
            <T k="list.type_main" />
          </span>
          <span className="role">
            <T k="list.type_transfer" />
          </span>
          <Tag minimal>SITE_URL</Tag>
          <span className="count">38</span>
        </div>
        <Tabs id="kit-tabs">
          <Tab id="all" title={<T k="dashboard.total" />} panel={<T k="dashboard.list_all" />} />
          <Tab id="broken" title={<T k="dashboard.broken" />} panel={<T k="dashboard.list_broken" />} />
        </Tabs>
      </div>
    </Panel>
  );
}
