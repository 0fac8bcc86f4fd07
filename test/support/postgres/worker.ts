// The setup of each file of the project `postgres`: its databases are on the project's server.
import { inject } from 'vitest';

process.env['TEST_POSTGRES'] = inject('postgres');
