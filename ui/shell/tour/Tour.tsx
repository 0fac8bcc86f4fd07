import { Button } from '@blueprintjs/core';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Key } from '../../../src/shared/i18n/index.ts';
import { useCall } from '../../kit/api.ts';
import { SmallCrossIcon } from '../../kit/icons.tsx';
import { useT } from '../../kit/language.ts';
import { T } from '../../kit/T.tsx';
import { closeTour, nextStep, noteTransfers, TOUR_ID, TOUR_STEPS, useTour } from './tour.ts';
import './Tour.css';

const MOST_BLOCKED = 50;

interface TourStep {
  text: Key;
  to: string;
}

/** Returns the address of a transfer whose plan can be confirmed: of the first blocked main, to a reserve that answers. */
function useMove(): { blocked: number | undefined; plan: string } {
  const { data } = useCall('GET /api/domains', {
    query: { status: 'blocked', type: 'main', sort: 'id', limit: MOST_BLOCKED },
  });
  const blocked = data?.data.find(({ project_id }) => project_id !== null);
  const { data: reserves } = useCall(
    'GET /api/project_unassigned_domains/:projectId',
    { params: { projectId: blocked?.project_id ?? 0 }, query: { sort: '-expired_at', limit: MOST_BLOCKED } },
    { enabled: blocked !== undefined },
  );
  const reserve = reserves?.data.find(
    ({ status, transfer_type, http_status_code }) =>
      status === 'available' && transfer_type === 'auto' && http_status_code === 200,
  );
  const to = reserve ? `&transfer_to=${reserve.id}` : '';
  return { blocked: blocked?.id, plan: blocked ? `/?list=blocked&transfer=${blocked.id}${to}` : '/?list=blocked' };
}

/** Returns the transfer that was started since the tour began; undefined: none was. */
function useOwnTransfer(): number | undefined {
  const { before } = useTour();
  const { data } = useCall('GET /api/operations', { query: { kind: 'transfer', limit: 1 } });
  const last = data === undefined ? undefined : (data.data[0]?.id ?? 0);
  useEffect(() => {
    if (last !== undefined) noteTransfers(last);
  }, [last]);
  return before !== undefined && last !== undefined && last > before ? last : undefined;
}

/** Returns the steps, each with the place that it speaks of. The transfer is shown as a plan, and from its start on as it runs. */
function useSteps(): TourStep[] {
  const { blocked, plan } = useMove();
  const running = useOwnTransfer();
  return [
    { text: 'tour.blocked', to: '/?list=blocked' },
    { text: 'tour.why', to: blocked === undefined ? '/?list=blocked' : `/?list=blocked&why=${blocked}` },
    running === undefined
      ? { text: 'tour.transfer', to: plan }
      : { text: 'tour.operation', to: `/operations?operation=${running}` },
    { text: 'tour.positions', to: '/position' },
    { text: 'tour.purchases', to: '/purchases' },
  ];
}

/** Closes the tour, and gives the focus that was in its panel to the content. */
function leave(end: () => void): void {
  const isInside = document.getElementById(TOUR_ID)?.contains(document.activeElement) ?? false;
  end();
  if (isInside) document.getElementById('main')?.focus();
}

/** Whether Esc is meant for the tour: nothing else is open that it closes, and nothing is typed. */
const isForTour = ({ target }: KeyboardEvent): boolean =>
  document.querySelector('[aria-modal="true"], .bp6-popover, .selection-bar') === null &&
  target instanceof Element &&
  (target === document.body || target.id === 'main' || target.closest(`#${TOUR_ID}, .demo-strip`) !== null);

function useEscape(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && isForTour(event)) leave(closeTour);
    };
    // Captured: what Esc closes must still be there when it is looked for.
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

/** The tour of the demo: a panel at the foot of the page, beside which everything can be used. */
export function Tour() {
  const t = useT();
  const navigate = useNavigate();
  const { step } = useTour();
  const steps = useSteps();
  const panel = useRef<HTMLElement>(null);
  useEscape();
  useEffect(() => {
    // A press has opened it; a page that was loaded with it open keeps its own focus.
    if (document.activeElement !== document.body) panel.current?.focus();
  }, []);
  const current = steps[step];
  if (!current) return null;
  const isLast = step === TOUR_STEPS - 1;
  return (
    <aside id={TOUR_ID} className="tour" tabIndex={-1} ref={panel} aria-label={t('tour.title')}>
      <p aria-live="polite">
        <span className="muted">{t('tour.step', { n: step + 1, total: TOUR_STEPS })}</span> <T k={current.text} />
      </p>
      <div className="tour-acts">
        <Button intent="primary" text={<T k="tour.show" />} onClick={() => void navigate(current.to)} />
        <Button
          text={<T k={isLast ? 'tour.done' : 'tour.next'} />}
          onClick={() => (isLast ? leave(nextStep) : nextStep())}
        />
        <Button
          variant="minimal"
          icon={<SmallCrossIcon />}
          text={<T k="tour.skip" />}
          onClick={() => leave(closeTour)}
        />
      </div>
    </aside>
  );
}
