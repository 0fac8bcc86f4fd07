import { useCall } from '../kit/api.ts';
import { Button } from '../kit/plain/Button.tsx';
import { T } from '../kit/T.tsx';
import { DemoBanner } from './DemoBanner.tsx';
import { servedByDemo } from './servedByDemo.ts';
import { openTour } from './tour/tour.ts';

/** Returns whether this server is a demo; until it has answered, what its page tells. */
export const useDemo = (): boolean => useCall('GET /api/health').data?.demo ?? servedByDemo();

/** The banner of a demo on every page, with the tour. */
export function DemoStrip() {
  if (!useDemo()) return null;
  return (
    <DemoBanner>
      <Button size="small" variant="minimal" text={<T k="tour.open" />} onClick={openTour} />
    </DemoBanner>
  );
}
