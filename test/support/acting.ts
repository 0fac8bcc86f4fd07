// Below the doors nobody says who acts: what a test writes there is nobody's decision.
import { actAlways, SYSTEM_ASKER } from '../../db/acting.ts';

actAlways(SYSTEM_ASKER, { name: 'test', call: 'test' });
