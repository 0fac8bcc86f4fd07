import { Link } from 'react-router-dom';
import { T } from '../kit/T.tsx';

/** Leads administrators to the log, which is in no group of the menu. */
export const LogLink = () => (
  <Link to="/log" className="bp6-button">
    <T k="nav.log" />
  </Link>
);
