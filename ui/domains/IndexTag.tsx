import { Tag, type Intent } from '@blueprintjs/core';
import { MinusIcon, SmallCrossIcon, SmallTickIcon } from '../kit/icons.tsx';
import { indexationOf, type Indexation } from '../../src/shared/portfolio/domain-state.ts';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useFormats, useT } from '../kit/language.ts';
import './IndexTag.css';

type Indexed = Pick<DomainView, 'google_indexation' | 'yandex_indexation' | 'last_check_indexation'>;

const INTENT: Record<Indexation, Intent> = { unknown: 'none', full: 'success', partial: 'warning', odd: 'danger' };

const wordOf = (indexed: boolean | null): Key =>
  indexed === null ? 'sites.index_unknown' : indexed ? 'sites.index_yes' : 'sites.index_no';

function Engine({ letter, indexed }: { letter: string; indexed: boolean | null }) {
  const Icon = indexed === null ? MinusIcon : indexed ? SmallTickIcon : SmallCrossIcon;
  return (
    <span className="engine">
      {letter}
      <Icon size={12} />
    </span>
  );
}

/** Shows whether Yandex («Я») and Google («G») have indexed the site: a letter and a mark each, one colour for both. */
export function IndexTag({ domain }: { domain: Indexed }) {
  const t = useT();
  const formats = useFormats();
  const { yandex_indexation: yandex, google_indexation: google, last_check_indexation: at } = domain;
  const words = { yandex: t(wordOf(yandex)), google: t(wordOf(google)) };
  const text =
    at === null ? t('sites.index_never', words) : t('sites.index_checked', { ...words, date: formats.dateTime(at) });
  const state = indexationOf(domain);
  return (
    <Tag
      minimal
      intent={INTENT[state]}
      htmlTitle={text}
      className={state === 'unknown' ? 'index-tag index-unknown' : 'index-tag'}
    >
      <span aria-hidden="true" className="engines">
        <Engine letter="Я" indexed={yandex} />
        <Engine letter="G" indexed={google} />
      </span>
      <span className="visually-hidden">{text}</span>
    </Tag>
  );
}
