import { Component, type ReactNode } from 'react';
import { Button } from './plain/Button.tsx';
import { Callout } from './plain/Callout.tsx';
import { T } from './T.tsx';

function Broken() {
  return (
    <Callout intent="danger" role="alert" className="page-error">
      <p>
        <T k="ui.broken" />
      </p>
      <Button onClick={() => window.location.reload()} text={<T k="ui.reload" />} />
    </Callout>
  );
}

/** Keeps the menu usable if a screen throws, or can't be loaded because a new version was installed. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <Broken /> : this.props.children;
  }
}
