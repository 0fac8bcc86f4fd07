import { useLayoutEffect, type ReactNode } from 'react';
import type { Key } from '../../src/shared/i18n/index.ts';
import { useT } from './language.ts';
import { T } from './T.tsx';

/** Sets the title of the document: `Name — SEO Admin`. */
export function useTitleText(text: string): void {
  useLayoutEffect(() => {
    document.title = `${text} — SEO Admin`;
  }, [text]);
}

/** The same by the title of a screen. */
export const useTitle = (title: Key): void => useTitleText(useT()(title));

interface ScreenProps {
  title: Key;
  /** The state of the screen in a sentence, under the title. */
  lead?: ReactNode;
  /** The primary action stands last. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen inside the shell: its one h1, the actions beside it, the content under it. */
export function Screen({ title, lead, actions, children }: ScreenProps) {
  useTitle(title);
  return (
    <>
      <div className="screen-head">
        <h1 className="bp6-heading">
          <T k={title} />
        </h1>
        {actions && <div className="screen-actions">{actions}</div>}
        {lead && <p className="screen-lead">{lead}</p>}
      </div>
      {children}
    </>
  );
}

/** The page of one thing while there is nothing of it to show: its name may be as long as what somebody typed. */
export function BareScreen({ title, children }: { title: string; children: ReactNode }) {
  useTitleText(title);
  return (
    <>
      <div className="screen-head">
        <h1 className="bp6-heading bare-title">{title}</h1>
      </div>
      {children}
    </>
  );
}
