#!/usr/bin/env node
import module from 'node:module';

// Node 22.1 and newer keep compiled code between runs; Node 20 has no such call.
module.enableCompileCache?.();
await import('../dist/cli/index.js');
