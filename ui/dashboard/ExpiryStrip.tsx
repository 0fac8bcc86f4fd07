import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import { monthAfter, monthOf, monthsOf, type ExpiryCalendar } from '../../src/shared/portfolio/expiry-calendar.ts';
import { useFormats, useT } from '../kit/language.ts';
import { T } from '../kit/T.tsx';
import { domainsEnding, lookOf } from './domainsEnding.ts';

const NUMBERS = Array.from({ length: 31 }, (_, index) => index + 1);
// More do not fit a cell.
const MOST = 999;

const dayIn = (month: string, number: number): string => `${month.slice(0, 8)}${String(number).padStart(2, '0')}`;

const isDay = (day: string): boolean => monthAfter(day, 0) === monthOf(day);

/** Returns the day with expiries to which a key leads from another; undefined: the key does nothing. */
function nextDay(days: readonly string[], from: string, key: string): string | undefined {
  const index = days.indexOf(from);
  const inMonth = (step: 1 | -1): string | undefined => {
    const others = days.filter((day) => (step === 1 ? day > from : day < from) && day.slice(0, 7) !== from.slice(0, 7));
    const month = (step === 1 ? others[0] : others.at(-1))?.slice(0, 7);
    const near = others.filter((day) => day.startsWith(month ?? '-'));
    const distance = (day: string): number => Math.abs(Number(day.slice(8)) - Number(from.slice(8)));
    return near.toSorted((one, other) => distance(one) - distance(other))[0];
  };
  switch (key) {
    case 'ArrowRight':
      return days[index + 1];
    case 'ArrowLeft':
      return days[index - 1];
    case 'ArrowDown':
      return inMonth(1);
    case 'ArrowUp':
      return inMonth(-1);
    case 'Home':
      return days[0];
    case 'End':
      return days.at(-1);
    default:
      return undefined;
  }
}

/** Returns the props of a strip of which one day is in the order of Tab, and arrow keys lead from it to the others. */
function useRovingDay(days: readonly string[]) {
  const table = useRef<HTMLTableElement>(null);
  const [chosen, setChosen] = useState('');
  const current = days.includes(chosen) ? chosen : (days[0] ?? '');
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextDay(days, current, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
    table.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  };
  const keysOf = (day: string): DayKeys => ({ tabIndex: day === current ? 0 : -1, onFocus: () => setChosen(day) });
  return { table, onKeyDown, keysOf };
}

/** The keyboard's part of a cell. */
interface DayKeys {
  tabIndex: number;
  onFocus: () => void;
}

interface DayProps {
  day: string;
  count: number | undefined;
  today: string;
  keys: DayKeys;
}

/** A day of the strip; where something ends on it, it leads to those domains. */
function Day({ day, count, today, keys }: DayProps) {
  const t = useT();
  const formats = useFormats();
  const { look, text } = lookOf(day, today);
  const label = t(text, { day: formats.dayMonth(day), n: count ?? 0 });
  const place = day === today ? 'expiry-today' : undefined;
  return (
    // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- no control; a day without anything is empty
    <td className={isDay(day) ? place : 'expiry-no-day'}>
      {count !== undefined && (
        <Link
          to={domainsEnding(day, day)}
          className={`expiry-day ${look}`}
          data-day={day}
          aria-label={label}
          title={label}
          {...keys}
        >
          {count > MOST ? `${MOST}+` : count}
        </Link>
      )}
    </td>
  );
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="visually-hidden">
            <T k="calendar.months" />
          </span>
        </th>
        {NUMBERS.map((number) => (
          <th key={number} scope="col">
            {number}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface StripProps {
  calendar: ExpiryCalendar;
  today: string;
}

/** Thirteen months of days; each day on which something ends leads to its domains. */
export function ExpiryStrip({ calendar: { from, days }, today }: StripProps) {
  const t = useT();
  const formats = useFormats();
  const help = useId();
  const counts = new Map(days.map(({ day, count }) => [day, count]));
  const { table, onKeyDown, keysOf } = useRovingDay(days.map(({ day }) => day));
  return (
    <>
      <p id={help} className="visually-hidden">
        <T k="calendar.keys" />
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- key presses bubble up from the days */}
      <table
        ref={table}
        className="expiry-strip"
        aria-label={t('calendar.title')}
        aria-describedby={help}
        onKeyDown={onKeyDown}
      >
        <Head />
        <tbody>
          {monthsOf(from).map((month) => (
            <tr key={month}>
              <th scope="row">{formats.month(month)}</th>
              {NUMBERS.map((number) => {
                const day = dayIn(month, number);
                return <Day key={day} day={day} count={counts.get(day)} today={today} keys={keysOf(day)} />;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
