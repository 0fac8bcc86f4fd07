import { Component, type ReactNode } from 'react';
import { Button } from './plain/Button.tsx';
import { Callout } from './plain/Callout.tsx';
import { reloadPage } from './session.ts';
import { T } from './T.tsx';

function Broken({ isPage }: { isPage: boolean }) {
  return (
    <Callout intent="danger" role="alert" className="page-error">
      {isPage && (
        <h1 className="bp6-heading">
          <T k="ui.broken_title" />
        </h1>
      )}
      <p>
        <T k="ui.broken" />
      </p>
      <Button onClick={reloadPage} text={<T k="ui.reload" />} />
    </Callout>
  );
}

/** Keeps the menu usable if a screen throws, or can't be loaded because a new version was installed. `isPage`: its message is the page, which has a heading. */
export class ErrorBoundary extends Component<{ children: ReactNode; isPage?: boolean }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <Broken isPage={this.props.isPage ?? false} /> : this.props.children;
  }
}
