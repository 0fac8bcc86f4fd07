import { HTMLTable } from '@blueprintjs/core';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { useT } from '../language.ts';
import { Panel } from '../Panel.tsx';
import { NoData, Status, type State } from '../Status.tsx';
import { T } from '../T.tsx';

const STATES: readonly { state: State; name: Key; sample: string }[] = [
  { state: 'healthy', name: 'kit.healthy', sample: '200' },
  { state: 'stale', name: 'kit.stale', sample: '200' },
  { state: 'broken', name: 'kit.broken', sample: '503' },
  { state: 'blocked', name: 'kit.blocked', sample: 'blocked' },
  { state: 'expiring', name: 'kit.expiring', sample: '24.11.2026' },
  { state: 'expired', name: 'kit.expired', sample: '20.11.2026' },
  { state: 'unknown', name: 'kit.unknown', sample: '' },
  { state: 'running', name: 'kit.running', sample: '5 / 7' },
  { state: 'waiting', name: 'kit.waiting', sample: '199 ₽' },
];

/** The language of states: each with its name and as it stands in a cell. */
export function States() {
  const t = useT();
  return (
    <Panel title={<T k="kit.states" />} aside={<T k="kit.states_note" />} flush>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it may scroll, so it is reachable by keyboard */}
      <section className="kit-states" aria-label={t('kit.in_cell')} tabIndex={0}>
        <HTMLTable>
          <thead>
            <tr>
              <th scope="col">
                <T k="kit.state" />
              </th>
              <th scope="col">
                <T k="kit.in_cell" />
              </th>
            </tr>
          </thead>
          <tbody>
            {STATES.map(({ state, name, sample }) => (
              <tr key={state}>
                <th scope="row">
                  <T k={name} />
                </th>
                <td>{sample === '' ? <NoData /> : <Status state={state}>{sample}</Status>}</td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </section>
    </Panel>
  );
}

const COLOURS = [
  'page',
  'surface',
  'sunken',
  'fill',
  'hover',
  'raised',
  'line',
  'line-strong',
  'control',
  'ink',
  'ink-2',
  'ink-3',
  'accent',
  'accent-ink',
  'accent-tint',
  'danger',
  'danger-ink',
  'danger-tint',
  'warn',
  'warn-ink',
  'warn-tint',
  'ok',
  'ok-ink',
  'ok-tint',
  'viz',
  'viz-2',
  'inverse',
] as const;

/** The colours of the present theme, by role. */
export function Colours() {
  return (
    <Panel title={<T k="kit.colours" />}>
      <ul className="kit-colours">
        {COLOURS.map((name) => (
          <li key={name}>
            <svg width="100%" height={40} aria-hidden="true">
              <rect width="100%" height={40} rx={6} fill={`var(--${name})`} />
            </svg>
            <code translate="no">{name}</code>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The three sizes of text. */
export function Type() {
  return (
    <Panel title={<T k="kit.type" />}>
      <div className="kit-stack">
        <div className="kit-large">
          <T k="kit.large" />
        </div>
        <div>
          <T k="kit.medium" />
        </div>
        <div className="kit-small">
          <T k="kit.small" />
        </div>
      </div>
    </Panel>
  );
}
