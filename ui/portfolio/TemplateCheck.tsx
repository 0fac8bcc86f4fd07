import { Button, Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toUnicode } from '../../src/shared/portfolio/domain-name.ts';
import { generateNames } from '../../src/shared/names/name-generator.ts';
import { checkTemplate, type TemplateVerdict } from '../../src/shared/names/name-template.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import type { NameMark } from '../../src/shared/purchases/candidates.ts';
import { call, type AnswerOf } from '../kit/api.ts';
import { useT } from '../kit/language.ts';
import { Status, type State } from '../kit/Status.tsx';
import { T } from '../kit/T.tsx';
import { Failed } from '../kit/table/DataTable.tsx';
import './TemplateCheck.css';

const SAMPLES = 5;
const MARKS = 'POST /api/auto_buy/marks';

const LOOKS: Record<NameMark, State> = {
  new: 'healthy',
  held: 'stale',
  past: 'stale',
  related: 'stale',
  blocked: 'blocked',
  invalid: 'broken',
};

/** A template that was checked. `names` are five, repeated where it has fewer; none where it gives no name. */
interface Checked extends TemplateVerdict {
  template: string;
  names: string[];
}

function checkOf(template: string): Checked {
  const verdict = checkTemplate(template);
  const names = verdict.valid ? generateNames(template, { count: SAMPLES, unique: true }).names : [];
  const errors: Key[] = verdict.valid && names.length === 0 ? ['candidates.no_name'] : verdict.errors;
  const samples = names.length === 0 ? [] : Array.from({ length: SAMPLES }, (_, at) => names[at % names.length] ?? '');
  return { ...verdict, errors, template, names: samples };
}

function Sentences({ keys, intent }: { keys: readonly Key[]; intent: 'danger' | 'warning' }) {
  if (keys.length === 0) return null;
  return (
    <Callout intent={intent} compact className="template-sentences">
      <ul>
        {keys.map((key) => (
          <li key={key}>
            <T k={key} />
          </li>
        ))}
      </ul>
    </Callout>
  );
}

function Samples({ names }: { names: readonly string[] }) {
  const t = useT();
  const { data, error, refetch } = useQuery<AnswerOf<typeof MARKS>>({
    queryKey: [MARKS, names],
    queryFn: ({ signal }) => call(MARKS, { body: { names: [...names] }, signal }),
    gcTime: 0,
  });
  return (
    <>
      <h3 className="bp6-heading section-title">
        <T k="auto_buy.samples" />
      </h3>
      <ol className="template-samples" aria-label={t('auto_buy.samples')}>
        {names.map((name, index) => {
          const mark = data?.data[index]?.mark;
          return (
            // oxlint-disable-next-line react/no-array-index-key -- names may repeat, and never change places
            <li key={index}>
              <span translate="no" className="template-sample">
                {toUnicode(name)}
              </span>
              {mark && (
                <Status state={LOOKS[mark]}>
                  <T k={`name_mark.${mark}`} />
                </Status>
              )}
            </li>
          );
        })}
      </ol>
      {error && <Failed sentence="auto_buy.marks_failed" reason={error.message} retry={() => void refetch()} />}
    </>
  );
}

/** Validates a template when asked to, and shows what it gives; what was found of another template goes away. */
export function TemplateCheck({ template }: { template: string }) {
  const t = useT();
  const [found, setFound] = useState<Checked>();
  const checked = found?.template === template ? found : undefined;
  return (
    <>
      <Button text={<T k="auto_buy.check" />} onClick={() => setFound(checkOf(template))} />
      <section className="template-check" aria-live="polite" aria-label={t('auto_buy.checked')}>
        {checked && (
          <>
            <Sentences keys={checked.errors} intent="danger" />
            <Sentences keys={checked.warnings} intent="warning" />
            {checked.valid && (
              <p>
                <T k="auto_buy.combinations" n={checked.estimatedCombinations} />
              </p>
            )}
            {checked.names.length > 0 && <Samples names={checked.names} />}
          </>
        )}
      </section>
    </>
  );
}
