import { indexationOf, type Indexation } from '../../src/shared/portfolio/domain-state.ts';
import type { DomainView } from '../../src/shared/portfolio/domains.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useFormats, useT } from '../kit/language.ts';
import './IndexTag.css';

type Indexed = Pick<DomainView, 'google_indexation' | 'yandex_indexation' | 'last_check_indexation'>;

const INTENT: Record<Indexation, string> = {
  unknown: '',
  full: 'bp6-intent-success',
  partial: 'bp6-intent-warning',
  odd: 'bp6-intent-danger',
};

const wordOf = (indexed: boolean | null): Key =>
  indexed === null ? 'sites.index_unknown' : indexed ? 'sites.index_yes' : 'sites.index_no';

const lookOf = (indexed: boolean | null): string =>
  indexed === null ? 'engine' : indexed ? 'engine engine-yes' : 'engine engine-no';

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
    <span
      title={text}
      className={`bp6-tag bp6-minimal ${INTENT[state]} index-tag ${state === 'unknown' ? 'index-unknown' : ''}`.trim()}
    >
      <span aria-hidden="true" className={lookOf(yandex)}>
        Я
      </span>
      <span aria-hidden="true" className={lookOf(google)}>
        G
      </span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
