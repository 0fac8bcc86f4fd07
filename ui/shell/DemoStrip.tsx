import { useCall } from '../kit/api.ts';
import { Button } from '../kit/plain/Button.tsx';
import { T } from '../kit/T.tsx';
import { DemoBanner } from './DemoBanner.tsx';
import { openTour } from './tour/tour.ts';

/** Returns whether this server is a demo; false until it has answered. */
export const useDemo = (): boolean => useCall('GET /api/health').data?.demo ?? false;

/** The banner of a demo on every page, with the tour. */
export function DemoStrip() {
  if (!useDemo()) return null;
  return (
    <DemoBanner>
      <Button size="small" variant="minimal" text={<T k="tour.open" />} onClick={openTour} />
    </DemoBanner>
  );
}
