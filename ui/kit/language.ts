import { useSyncExternalStore } from 'react';
import { moneyIn, numeral, translate, type Key, type Language, type Params } from '../../src/shared/i18n/index.ts';
import { arrivedTexts, languageNow, missing, watchLanguage } from './reader/reader.ts';

export const useLanguage = (): Language => useSyncExternalStore(watchLanguage, languageNow);

type Translate = (key: Key, params?: Params) => string;

const translatorOf =
  (language: Language): Translate =>
  (key, params) => {
    void missing(key)?.catch(() => undefined);
    return translate(language, key, params);
  };

let translator = { version: arrivedTexts(), translate: translatorOf(languageNow()) };

/** Another function with another language, and with more texts: with them, the same key says more. */
function translatorNow(): Translate {
  const version = arrivedTexts();
  if (translator.version !== version) translator = { version, translate: translatorOf(languageNow()) };
  return translator.translate;
}

/** Returns the translator as strings, for attributes; content uses `<T>`. */
export const useT = (): Translate => useSyncExternalStore(watchLanguage, translatorNow);

/** Returns whether a text on the Russian page is English, so that it needs a `lang` attribute. */
export const isEnglish = (text: string): boolean => /[A-Za-z]{2}/.test(text) && !/[А-Яа-яЁё]/.test(text);

export interface Formats {
  /** `20.11.2026` */
  date: (iso: string) => string;
  /** `20.11.2026` of a calendar day, `2026-11-20`, whatever the time zone */
  day: (day: string) => string;
  /** `20 ноября` of a calendar day */
  dayMonth: (day: string) => string;
  /** `нояб. 2026` of a calendar day */
  month: (day: string) => string;
  /** `20.11.2026, 14:05` in the reader's time zone */
  dateTime: (iso: string) => string;
  /** `14:05` in the reader's time zone */
  time: (iso: string) => string;
  /** `2 ч 14 мин` of seconds, or days alone: `3 дня` */
  span: (seconds: number) => string;
  /** `3 дня назад` */
  ago: (iso: string) => string;
  number: (value: number) => string;
  /** `10 000,50 RUB` of a decimal amount */
  money: (amount: string, currency: string) => string;
  /** `1,2 МБ` */
  bytes: (value: number) => string;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

const SIZES: [string, number][] = [
  ['megabyte', 1024 * 1024],
  ['kilobyte', 1024],
];

function bytesOf(locale: string): Formats['bytes'] {
  return (value) => {
    const [unit, length] = SIZES.find(([, length]) => value >= length) ?? (['byte', 1] as const);
    // The short form of a byte has no plural in English.
    const unitDisplay = unit === 'byte' ? 'long' : 'short';
    return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(
      value / length,
    );
  };
}

function spanOf(locale: string): Formats['span'] {
  const say = (unit: Intl.RelativeTimeFormatUnit, value: number): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: unit === 'day' ? 'long' : 'short' }).format(
      value,
    );
  return (seconds) => {
    const at = UNITS.findIndex(([, length]) => seconds >= length);
    const [unit, length] = UNITS[at] ?? (['second', 1] as const);
    const whole = Math.floor(seconds / length);
    const rest = unit === 'hour' ? Math.floor((seconds % length) / 60) : 0;
    return rest > 0 ? `${say(unit, whole)} ${say('minute', rest)}` : say(unit, whole);
  };
}

function formatsOf(language: Language, locale: string): Formats {
  const day = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric' });
  const dayMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' });
  const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric' });
  const minute = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' });
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    date: (iso) => day.format(new Date(iso)),
    // At noon: some zones have days without a midnight.
    day: (text) => day.format(new Date(`${text}T12:00`)),
    dayMonth: (text) => dayMonth.format(new Date(`${text}T12:00`)),
    month: (text) => month.format(new Date(`${text}T12:00`)).replace(/ г\.$/, ''),
    dateTime: (iso) => minute.format(new Date(iso)),
    time: (iso) => time.format(new Date(iso)),
    ago: (iso) => {
      const seconds = (Date.parse(iso) - Date.now()) / 1000;
      const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
      return relative.format(Math.round(seconds / length), unit);
    },
    span: spanOf(locale),
    number: (value) => numeral(language, value),
    money: (amount, currency) => moneyIn(language, `${amount}\u00A0${currency}`),
    bytes: bytesOf(locale),
  };
}

const formats: Record<Language, Formats> = { ru: formatsOf('ru', 'ru-RU'), en: formatsOf('en', 'en-GB') };

/** Returns the formats of dates and numbers for the current language. */
export const useFormats = (): Formats => formats[useLanguage()];
