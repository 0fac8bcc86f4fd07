import type { ReactNode } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { Brand } from '../shell/Brand.tsx';
import { LanguageButton, ThemeButton } from '../shell/Preferences.tsx';
import { useTitle } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';

/** A screen outside the shell: one card in the middle, language and theme in the corner. */
export function Front({ title, children }: { title: Key; children: ReactNode }) {
  useTitle(title);
  return (
    <>
      <header className="front-corner">
        <LanguageButton />
        <ThemeButton />
      </header>
      <main className="front">
        <div className="front-card bp6-card bp6-elevation-0">
          <div className="brand">
            <Brand />
          </div>
          <h1 className="bp6-heading">
            <T k={title} />
          </h1>
          {children}
        </div>
      </main>
    </>
  );
}
