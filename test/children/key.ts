// Loads the installation's key, making it where there is none, and prints it: one of several that start at once.
import { loadKey } from '../../src/lib/key.ts';

console.log(loadKey(process.argv[2] ?? '').toString('hex'));
