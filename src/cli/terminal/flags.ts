import { quoted } from './quoted.ts';

/** The flags that a command which goes on is given again: of who asked, of the form and language of the answer, and of the exit code. */
interface SameFlags {
  as?: string;
  format?: string;
  lang?: string;
  json?: boolean;
  csv?: boolean;
  failOnBlocked?: boolean;
}

/** Returns those flags as they were typed. */
export function sameFlagsOf({ as, format, lang, json, csv, failOnBlocked }: SameFlags): string {
  const valued = Object.entries({ as, format, lang }).flatMap(([name, value]) =>
    value === undefined ? [] : [` --${name} ${quoted(value)}`],
  );
  const switches = Object.entries({ json, csv, 'fail-on-blocked': failOnBlocked });
  return [...valued, ...switches.flatMap(([name, isOn]) => (isOn ? [` --${name}`] : []))].join('');
}
