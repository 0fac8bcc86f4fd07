import { useEffect, useRef } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { ImportCheck } from './ImportCheck.tsx';
import { ImportColumns } from './ImportColumns.tsx';
import { ImportDone } from './ImportDone.tsx';
import { ImportFormat } from './ImportFormat.tsx';
import { ImportHistory } from './ImportHistory.tsx';
import { ImportSource } from './ImportSource.tsx';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';
import { STEPS, useImport, type Importing, type ImportStep } from './useImport.ts';
import { useT } from '../kit/language.ts';
import './Import.css';

const TITLES: Record<ImportStep, Key> = {
  source: 'import.step_source',
  columns: 'import.step_columns',
  check: 'import.step_check',
  done: 'import.step_done',
};

function Steps({ step }: { step: ImportStep }) {
  const t = useT();
  return (
    <ol className="import-steps" aria-label={t('import.steps')}>
      {STEPS.map((known) => (
        <li key={known} aria-current={known === step ? 'step' : undefined}>
          <T k={TITLES[known]} />
        </li>
      ))}
    </ol>
  );
}

/** The heading of a step; takes the focus when the step changes, so that a screen reader announces it. */
function StepTitle({ step }: { step: ImportStep }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    heading.current?.focus();
    window.scrollTo(0, 0);
  }, [step]);
  return (
    <h2 ref={heading} tabIndex={-1} className="bp6-heading import-title">
      <T k={TITLES[step]} />
    </h2>
  );
}

function Step(importing: Importing) {
  const { step, preview, result } = importing;
  if (step === 'columns' && preview) return <ImportColumns {...importing} preview={preview} />;
  if (step === 'check' && preview) return <ImportCheck {...importing} preview={preview} />;
  if (step === 'done' && preview && result) return <ImportDone {...importing} preview={preview} result={result} />;
  return <ImportSource {...importing} />;
}

/** Imports domains from a file or a pasted list in four steps; only the last one writes. */
export function Import() {
  const importing = useImport();
  return (
    <Screen title="nav.import">
      <Steps step={importing.step} />
      <StepTitle step={importing.step} />
      {importing.step === 'source' ? (
        <>
          <div className="beside beside-import">
            <Step {...importing} />
            <ImportFormat />
          </div>
          <ImportHistory />
        </>
      ) : (
        <Step {...importing} />
      )}
    </Screen>
  );
}
