// Loads the installation's key, creating it if missing, and prints it; several of these start at once.
import { loadKey } from '../../../src/lib/key.ts';

console.log(loadKey(process.argv[2] ?? '').toString('hex'));
