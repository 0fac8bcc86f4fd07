import { useCall } from '../kit/api.ts';
import { T } from '../kit/T.tsx';

/** Whether this server is a demo; false until it has said so. */
export const useDemo = (): boolean => useCall('GET /api/health').data?.demo ?? false;

/** Says on every page that nothing here is real. It can't be closed. */
export function DemoStrip() {
  if (!useDemo()) return null;
  return (
    <aside className="demo-strip">
      <T k="demo.strip" /> <T k="demo.reset" /> <code>seo-admin demo reset</code>
    </aside>
  );
}
