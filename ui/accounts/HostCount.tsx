import type { ParsedHostnames } from '../../src/shared/hostname.ts';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useFormats, useT } from '../kit/language.ts';
import './HostCount.css';

// The first invalid words are enough to find the mistake.
const SHOWN = 5;

/** Counts the entries of a pasted list («128 доменов, 3 повтора, 1 ошибка») and shows the first invalid ones. */
export function HostCount({ parsed }: { parsed: ParsedHostnames }) {
  const t = useT();
  const formats = useFormats();
  const { hosts, duplicates, invalid } = parsed;
  const counted = (key: Key, n: number): string => t(key, { n, count: formats.number(n) });
  const parts = [
    counted('check_site.count', hosts.length),
    ...(duplicates > 0 ? [counted('check_site.repeated', duplicates)] : []),
    ...(invalid.length > 0 ? [counted('check_site.wrong', invalid.length)] : []),
  ];
  const words = invalid.slice(0, SHOWN).join(', ') + (invalid.length > SHOWN ? '…' : '');
  return (
    <>
      {parts.join(', ')}
      {invalid.length > 0 && <div className="bad host-words">{t('check_site.wrong_words', { words })}</div>}
    </>
  );
}
