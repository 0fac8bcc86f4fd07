import { Button } from '@blueprintjs/core';
import { useCall } from '../kit/api.ts';
import { useSession } from '../kit/session.ts';
import { T } from '../kit/T.tsx';
import { openTour } from './tour/tour.ts';

/** Returns whether this server is a demo; false until it has answered. */
export const useDemo = (): boolean => useCall('GET /api/health').data?.demo ?? false;

/** A banner on every page that the data is not real, with the tour for who is signed in. It can't be closed. */
export function DemoStrip() {
  const isDemo = useDemo();
  const { token } = useSession();
  if (!isDemo) return null;
  return (
    <aside className="demo-strip">
      <T k="demo.strip" /> <T k="demo.reset" /> <code>seo-admin demo reset</code>{' '}
      {token !== '' && <Button size="small" variant="minimal" text={<T k="tour.open" />} onClick={openTour} />}
    </aside>
  );
}
