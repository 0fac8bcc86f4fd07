import { SunIcon, MoonIcon } from '../kit/icons.tsx';
import { useLanguage, useT } from '../kit/language.ts';
import { Button } from '../kit/plain/Button.tsx';
import { setLanguage } from '../kit/reader/reader.ts';
import { setTheme, useTheme } from '../kit/theme.ts';

/** Switches the theme; shows the one that a press would set. */
export function ThemeButton() {
  const t = useT();
  const next = useTheme() === 'dark' ? 'light' : 'dark';
  const words = t(next === 'dark' ? 'ui.theme_dark' : 'ui.theme_light');
  return (
    <Button
      variant="minimal"
      icon={next === 'dark' ? <MoonIcon /> : <SunIcon />}
      title={words}
      aria-label={words}
      onClick={() => setTheme(next)}
    />
  );
}

/** Switches the language; shows the one that a press would set, in that language. */
export function LanguageButton() {
  const isRussian = useLanguage() === 'ru';
  return (
    <Button
      variant="minimal"
      lang={isRussian ? 'en' : 'ru'}
      title={isRussian ? 'English' : 'Русский'}
      text={isRussian ? 'EN' : 'RU'}
      aria-label={isRussian ? 'EN: English' : 'RU: русский'}
      onClick={() => setLanguage(isRussian ? 'en' : 'ru')}
    />
  );
}
