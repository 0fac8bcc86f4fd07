// Makes the sqlite3 package unreachable, as on a machine where it could not be built.
const Module = require('node:module');

// oxlint-disable no-underscore-dangle -- Node's own name for what require() calls
const load = Module._load;
Module._load = (request, ...rest) => {
  if (request === 'sqlite3') throw Object.assign(new Error('no sqlite3 here'), { code: 'MODULE_NOT_FOUND' });
  return load(request, ...rest);
};
