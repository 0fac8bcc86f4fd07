import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { isKey, type Key } from '../../src/shared/i18n/index.ts';
import type { TriageItem, TriageName } from '../../src/shared/triage/triage.ts';
import { BusyButton } from '../kit/BusyButton.tsx';
import { DomainLink } from '../domains/DomainLink.tsx';
import { ShareIcon } from '../kit/icons.tsx';
import { useFormats, useT, type Formats } from '../kit/language.ts';
import { NoData } from '../kit/Status.tsx';
import { Message, T } from '../kit/T.tsx';
import { useNow } from '../kit/useNow.ts';

/** A name that opens its domain, how many others there are, and an icon that opens the site. */
function Name({ name, more }: { name: TriageName; more: number }) {
  const t = useT();
  const { domain_name, unicode_name } = name;
  const open = t('sites.action_on', { action: t('sites.open'), name: unicode_name });
  return (
    <>
      <DomainLink {...name} /> {more > 0 && <T k="triage.and_more" n={more} />}
      <a
        href={`http://${domain_name}/`}
        target="_blank"
        rel="noopener noreferrer"
        className="triage-site"
        aria-label={open}
        title={t('sites.open')}
      >
        <ShareIcon />
      </a>
    </>
  );
}

/** The address of all that has a cause. */
function addressOf({ key }: TriageItem): string {
  const [kind, id = ''] = key.split(':');
  return kind === 'server' ? `/sites?server=${id}&status=broken` : '/?list=broken';
}

/** The subject of an item: its own title, a cause, or its first name and the number of others. */
function Subject({ item }: { item: TriageItem }): ReactNode {
  const t = useT();
  const { cause, names, count, title } = item;
  const [first] = names;
  if (title !== null) return <Message text={title} />;
  if (item.kind === 'cause' && cause) {
    const layer = `why.layer_${cause.name}`;
    const name = isKey(layer) ? t(layer) : cause.name;
    return (
      <Link to={addressOf(item)} className="domain-name">
        <T k={`triage.cause_${cause.kind}`} name={name} />
      </Link>
    );
  }
  return first && <Name name={first} more={count - 1} />;
}

const DAY = /\d{4}-\d{2}-\d{2}/g;

/** Why an item is here. The server's texts of what ends have days as a command line writes them. */
function reasonOf(
  item: TriageItem,
  formats: Formats,
  t: (key: Key, params?: Record<string, number>) => string,
): string {
  const { kind, cause, names, count, text, price, declined } = item;
  const shown = names.map(({ unicode_name }) => unicode_name).join(', ');
  const rest = count - names.length;
  const of = rest > 0 ? `${shown} ${t('triage.and_more', { n: rest })}` : shown;
  const parts = [
    price && formats.money(price.amount, price.currency),
    kind === 'ends' && cause?.name,
    kind === 'ends' ? text.replace(DAY, formats.day) : text,
    kind === 'cause' && of,
    declined,
  ];
  return parts.filter(Boolean).join('. ');
}

/** Returns the words of the act of an item. */
function actOf({ kind, act, count }: TriageItem): { k: Key; n?: number } {
  if (act.kind === 'transfer') return { k: kind === 'no_reserve' ? 'triage.act_choose' : 'sites.transfer' };
  if (act.kind === 'renew' && count > 1) return { k: 'triage.act_renew_many', n: act.ids.length };
  return { k: `triage.act_${act.kind}` };
}

function Age({ since }: { since: string | null }) {
  const formats = useFormats();
  const now = useNow();
  if (since === null) return <NoData />;
  return (
    <time dateTime={since} title={formats.dateTime(since)}>
      {formats.span(Math.abs(now - Date.parse(since)) / 1000)}
    </time>
  );
}

interface TriageRowProps {
  item: TriageItem;
  index: number;
  /** Its act is the filled one. */
  isCurrent: boolean;
  /** Its act is running. */
  isRunning: boolean;
  onAct: () => void;
}

/** One decision: what it is about, why, since when, and its act. */
export function TriageRow({ item, index, isCurrent, isRunning, onAct }: TriageRowProps) {
  const t = useT();
  const formats = useFormats();
  const isOne = item.count === 1 && item.kind !== 'cause';
  const [name] = item.names;
  const { k, n } = actOf(item);
  const action = isRunning ? t('triage.checking') : t(k, n === undefined ? {} : { n });
  const subject = item.title ?? item.cause?.name ?? name?.unicode_name ?? '';
  return (
    <li className={`triage-row${isOne ? '' : ' triage-wide'}${isCurrent ? ' triage-current' : ''}`} data-index={index}>
      <span className="triage-name">
        <Subject item={item} />
      </span>
      {isOne && <span className="triage-project">{name?.project_name}</span>}
      <span className="triage-why">
        <Message text={reasonOf(item, formats, t)} />
      </span>
      <span className="triage-age">
        <Age since={item.since} />
      </span>
      <BusyButton
        className="triage-act"
        data-place={`${index}:0`}
        size="small"
        intent={isCurrent ? 'primary' : 'none'}
        busy={isRunning}
        text={<Message text={action} />}
        aria-label={t('sites.action_on', { action, name: subject })}
        onClick={onAct}
      />
    </li>
  );
}
