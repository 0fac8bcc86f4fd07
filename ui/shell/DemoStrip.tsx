import { useCall } from '../kit/api.ts';
import { T } from '../kit/T.tsx';

/** Returns whether this server is a demo; false until it has answered. */
export const useDemo = (): boolean => useCall('GET /api/health').data?.demo ?? false;

/** A banner on every page that the data is not real. It can't be closed. */
export function DemoStrip() {
  if (!useDemo()) return null;
  return (
    <aside className="demo-strip">
      <T k="demo.strip" /> <T k="demo.reset" /> <code>seo-admin demo reset</code>
    </aside>
  );
}
