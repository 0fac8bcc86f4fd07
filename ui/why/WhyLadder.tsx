import { Callout } from '@blueprintjs/core';
import { useState } from 'react';
import type { DomainDetail } from '../../src/shared/portfolio/domains.ts';
import type { Diagnosis, Step, StepState } from '../../src/shared/why/diagnosis.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { BanCircleIcon, ErrorIcon, HelpIcon, MinusIcon, TickIcon } from '../kit/icons.tsx';
import { call, refresh, useCall } from '../kit/api.ts';
import { useFormats, useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { toastFailure } from '../kit/toasts.tsx';
import { Certificates } from './Certificates.tsx';
import { WhyAct } from './WhyAct.tsx';
import './WhyLadder.css';

const MARKS: Record<StepState, typeof TickIcon> = {
  ok: TickIcon,
  broken: ErrorIcon,
  unknown: HelpIcon,
  none: MinusIcon,
  not_asked: BanCircleIcon,
};

/** One layer: its mark and its state in words, and what was found. */
function Rung({ step: { layer, state, message } }: { step: Step }) {
  const Mark = MARKS[state];
  return (
    <li className={`why-step why-${state}`}>
      <span className="why-mark">
        <Mark />
      </span>
      <span className="why-layer">
        <T k={`why.layer_${layer}`} />
      </span>
      <span className="why-state">
        <T k={`why.state_${state}`} />
      </span>
      {message !== null && <span className="why-message">{message}</span>}
    </li>
  );
}

/** The sentence with its act, and the layers. */
function Found({ domain, diagnosis }: { domain: DomainDetail | undefined; diagnosis: Diagnosis }) {
  const { broken, message, act, steps } = diagnosis;
  return (
    <>
      <Callout intent={broken === null ? (act === null ? 'none' : 'warning') : 'danger'} className="why-sentence">
        <p>{message}</p>
        {act !== null && domain && <WhyAct domain={domain} act={act} />}
      </Callout>
      <ol className="why-ladder">
        {steps.map((step) => (
          <Rung key={step.layer} step={step} />
        ))}
      </ol>
    </>
  );
}

/** When a domain was asked about, and the button that asks now. */
function Ask({ id, asked_at }: { id: number; asked_at: string | null }) {
  const t = useT();
  const formats = useFormats();
  const [busy, setBusy] = useState(false);
  const ask = async (): Promise<void> => {
    setBusy(true);
    try {
      await call('POST /api/domains/:id/why', { params: { id }, body: {} });
      await refresh('GET /api/domains/:id/why');
    } catch (error) {
      toastFailure(t('why.failed'), error);
    }
    setBusy(false);
  };
  const words = asked_at === null ? t('why.never') : t('why.asked', { when: formats.ago(asked_at) });
  return (
    <div className="why-ask">
      <output className="muted">{busy ? t('why.asking') : words}</output>
      <BusyButton
        size="small"
        intent={asked_at === null ? 'primary' : 'none'}
        busy={busy}
        text={<T k={asked_at === null ? 'why.ask' : 'why.again'} />}
        onClick={() => void ask()}
      />
    </div>
  );
}

/** Why a domain is red, as it was last found: its layers up to the first broken one, and what mends that. */
export function WhyLadder({ id, domain }: { id: number; domain: DomainDetail | undefined }) {
  const t = useT();
  const { data, error, refetch } = useCall('GET /api/domains/:id/why', { params: { id } });
  if (data) {
    const diagnosis = data.data;
    return (
      <div className="why">
        <Ask id={id} asked_at={diagnosis?.asked_at ?? null} />
        {diagnosis && <Found domain={domain} diagnosis={diagnosis} />}
        <Certificates id={id} />
      </div>
    );
  }
  if (error) return <Failed sentence="why.failed" reason={error.message} retry={() => void refetch()} />;
  return <Skeleton label={t('ui.loading')} />;
}
