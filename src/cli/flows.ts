import { registerFlows } from '../operations/engine.ts';
import { flows } from '../services/system/flows.ts';

/** Registers every kind of long work: only then can operations be run or restored in this process, or their abilities shown. */
export const prepareFlows = (): void => registerFlows(flows);
