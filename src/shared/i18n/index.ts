import { catalogues, LANGUAGES, type Language } from './catalogues.ts';
import type { Key } from './ru.ts';

export { LANGUAGES };
export type { Key, Language };

export type Params = Record<string, string | number>;

/** A sentence that is stored before it is known in which language it will be read. */
export interface Message {
  key: Key;
  params?: Params;
  /** Parameters that are texts of the catalogues themselves, such as the name of a kind of operation. */
  words?: Record<string, Key>;
  /** Sentences that follow. */
  also?: Message[];
}

/** Puts a message into the language of a reader. Services return messages; doors render them. */
export type Render = (message: Message) => string;

// The order of forms in a text: «{n|домен|домена|доменов}», "{n|domain|domains}".
const FORMS: Record<Language, Intl.LDMLPluralRule[]> = { ru: ['one', 'few', 'many'], en: ['one', 'other'] };

const GROUP_SEPARATORS: Record<Language, string> = { ru: '\u00A0', en: ',' };
const DECIMAL_SEPARATORS: Record<Language, string> = { ru: ',', en: '.' };

// Intl takes 15 ms to wake, as much as the rest of a short command: rules are made when first asked for, and numbers that it
// would not round are written without it.
const rules: Partial<Record<Language, Intl.PluralRules>> = {};
const pluralOf = (language: Language, value: number): Intl.LDMLPluralRule =>
  (rules[language] ??= new Intl.PluralRules(language)).select(value);
/** Formats a number, or a decimal text, in the way of a language, with three decimals at most. */
export function numeral(language: Language, value: number | string): string {
  const [, whole, fraction] = /^(-?\d{1,15})(?:\.(\d{1,3}))?$/.exec(String(value)) ?? [];
  if (whole === undefined) {
    // An answer may lack the number, for which this has a text as well.
    const formatted = new Intl.NumberFormat(language === 'ru' ? 'ru-RU' : 'en-US');
    return typeof value === 'string' ? value : formatted.format(value);
  }
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, GROUP_SEPARATORS[language]);
  return fraction === undefined ? grouped : `${grouped}${DECIMAL_SEPARATORS[language]}${fraction}`;
}

/** Whether a text is a key of the catalogues: messages of shapes are keys, messages of outside services are not. */
export const isKey = (text: string): text is Key =>
  LANGUAGES.some((language) => Object.hasOwn(catalogues[language], text));

// Parameters that name something, and count nothing: a person searches for them, and types them into commands.
const NAMING = new Set(['id', 'code', 'status', 'port']);

const MONEY = /^-?\d+(\.\d+)?(?=\s[A-Z]{3}\b)/;

/** Writes a sum with its currency, such as `8425.5 RUB`, in the way of a language; any other text as it is. */
export const moneyIn = (language: Language, text: string): string =>
  text.replace(MONEY, (sum) => numeral(language, Number(sum).toFixed(2)));

// Parameters that may be a calendar day as it is stored, `2026-11-28`. In English that is read everywhere in one way.
const DAYS = new Set(['date', 'day']);
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const DAY_ORDER: Record<Language, string> = { ru: '$3.$2.$1', en: '$1-$2-$3' };

/**
 * The text of a key. `{name}` is replaced by the parameter; `{n|one|few|many}` by the plural form for it. Numbers
 * that count are written in the language's own way (1 248), and so are sums of money and calendar days.
 */
export function translate(language: Language, key: Key, params: Params = {}): string {
  // That of a sum may be a parameter of its own.
  const currency = ` ${params['currency']}`;
  return (catalogues[language][key] ?? '').replace(
    /\{(\w+)(?:\|([^}]*))?\}/g,
    (whole, name: string, forms?: string) => {
      const value = params[name];
      if (value === undefined) return whole;
      if (forms !== undefined) {
        const options = forms.split('|');
        const index = FORMS[language].indexOf(pluralOf(language, Number(value)));
        return options[index] ?? options.at(-1) ?? '';
      }
      if (typeof value === 'number') return NAMING.has(name) ? `${value}` : numeral(language, value);
      if (DAYS.has(name)) return value.replace(DAY, DAY_ORDER[language]);
      return moneyIn(language, value + currency).slice(0, -currency.length);
    },
  );
}

/** A stored sentence, and those that follow it. */
export function renderMessage(language: Language, { key, params, words = {}, also = [] }: Message): string {
  const named = Object.entries(words).map(([name, word]) => [name, translate(language, word, params)]);
  const sentence = translate(language, key, { ...params, ...Object.fromEntries(named) });
  return [sentence, ...also.map((message) => renderMessage(language, message))].join('. ');
}

/** The text of a key, or the text itself where it is none. */
export const say = (language: Language, text: string, params?: Params): string =>
  isKey(text) ? translate(language, text, params) : text;

// RFC 9110, 12.5.4: a language without a weight has 1, and one of 0 is not wanted.
const ACCEPTED = /(?:^|,)\s*(ru|en)(?:-[\w-]+)?\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?(?=,|$)/gi;

/** The language a request asks for: English where it wants it more than Russian, or as much and first; else the default. */
export function languageOf(acceptLanguage: string | undefined): Language {
  let best: { language: Language; weight: number } = { language: 'ru', weight: 0 };
  for (const [, name, weight = '1'] of (acceptLanguage ?? '').matchAll(ACCEPTED)) {
    if (Number(weight) > best.weight)
      best = { language: name?.toLowerCase() === 'en' ? 'en' : 'ru', weight: Number(weight) };
  }
  return best.language;
}
