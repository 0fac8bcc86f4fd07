import { Fragment } from 'react';
import { capital } from '../../src/shared/capital.ts';
import { stateSentences, type Clause } from '../../src/shared/timeline/state-sentence.ts';
import { useFormats, useT } from '../kit/language.ts';
import { useNow } from '../kit/useNow.ts';
import type { Page } from './DomainPage.tsx';

/** One sentence: its clauses, of which the first begins with a capital. */
export function Sentence({ clauses }: { clauses: readonly Clause[] }) {
  const t = useT();
  const formats = useFormats();
  return clauses.map(({ key, tone, params, since }, index) => {
    const text = t(key, { ...params, ...(since !== undefined && { ago: formats.ago(since) }) });
    // A name stays as it is.
    const isName = params?.['name'] !== undefined && text.startsWith(String(params['name']));
    return (
      <Fragment key={key}>
        {index > 0 && ', '}
        <span className={`domain-${tone}`}>{index === 0 && !isName ? capital(text) : text}</span>
      </Fragment>
    );
  });
}

/** The state of a domain in words: what is bad first, and in red. */
export function StateSentence({ page }: { page: Page }) {
  return (
    <p className="domain-sentence">
      {stateSentences(page, useNow()).map((clauses) => (
        <Fragment key={clauses[0]?.key}>
          <Sentence clauses={clauses} />
          {'. '}
        </Fragment>
      ))}
    </p>
  );
}
