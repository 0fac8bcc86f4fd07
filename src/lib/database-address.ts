/** Whether the address of a database is that of a PostgreSQL server; else it is the path of a SQLite file. */
export const isPostgres = (address: string): boolean => /^postgres(?:ql)?:/.test(address);

/** Returns the address of a database as it may be shown: without login, password and options. */
export function shownAddress(address: string): string {
  if (!isPostgres(address)) return address;
  const { hostname, port, pathname, searchParams } = new URL(address);
  const host = searchParams.get('host') ?? hostname;
  return `postgres://${host}${port === '' ? '' : `:${port}`}${pathname}`;
}

/** Returns the address to open: that of a PostgreSQL database where one is configured, else the path of the SQLite file. */
export const databaseAddress = (config: { databaseFile: string; databaseUrl?: string }): string =>
  config.databaseUrl ?? config.databaseFile;
