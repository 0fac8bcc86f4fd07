import { Link } from 'react-router-dom';
import { EmptyState } from '../kit/EmptyState.tsx';
import { Screen } from '../kit/Screen.tsx';
import { T } from '../kit/T.tsx';

/** An unknown URL, or one that this user may not open: both look the same. */
export function NotFound() {
  return (
    <Screen title="ui.not_found">
      <EmptyState
        action={
          <Link to="/">
            <T k="nav.main" />
          </Link>
        }
      >
        <T k="ui.not_found_text" />
      </EmptyState>
    </Screen>
  );
}
