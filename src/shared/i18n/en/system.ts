import type { system as ru } from '../ru/system.ts';

/** Backup, doctor, configuration, demo. */
export const system: Record<keyof typeof ru, string> = {
  // Keys and secrets
  'config.key_missing':
    'There is no key: {path}. The database {database} was made with it, and a new one cannot open its secrets. Put the file back from a backup: it lies beside it, ending in .key',
  'config.key_wrong':
    'This is not the key: {path}. The database {database} was made with another one. Put the former file back from a backup: it lies beside it, ending in .key',
  'backup.key_wrong': 'The key beside the backup is not its own: {key}. The database was not touched',
  'backup.key_needed':
    'The backup {file} was made with another key. Put that beside it: {key}. The database was not touched',
  'config.bad_value': 'Bad value of {name} ({where})',
  'config.not_json': 'The configuration file is not JSON: {path}',
  'config.unknown_key': 'Unknown setting {name} ({where}). Did you mean {nearest}?',
  'config.key_short': 'The key file is damaged: {path}. Put it back from a backup',
  'config.key_readable': 'Others may read the key file: chmod 600 {path}',
  // The demo.
  'demo.strip': 'Demo: the data and the providers are made up, nothing is sent outside.',
  'demo.reset': 'To begin anew:',
  'demo.users': 'Login and password:',
  'demo.sign_in': 'Sign in as {login}',
  'demo.host': 'The demo opens on this computer alone: {host} can be seen from the network',
  'demo.greeting': 'Demo: the data and the services are made up. Sign in as {users}',
  'demo.reset_done': 'The demo is forgotten: the next seo-admin serve --demo begins anew',
  'demo.alone': '--demo-size and --demo-freeze go with --demo alone',
  'backup.itself': 'That is the database itself, not a backup',
  'backup.exists': 'The file is there already: {file}. To replace it: --yes',
  'backup.not_found': 'No such backup: {file}',
  'backup.of_server': 'A backup in one file is for SQLite. Use pg_dump and pg_restore for {address}',
  'backup.no_database': 'There is no database yet: {file}. First: seo-admin init',
  'backup.damaged': 'The backup is damaged ({reason}): {file}. The database was not touched',
  'backup.in_use': 'The database is in use: stop seo-admin serve and other commands, then try again',
  'backup.confirm': 'Replace the database {database} by the backup {file}? The former one stays beside it.',
  'backup.done': 'Backup made: {file} ({bytes} bytes), its sum is in .sha256 beside it',
  'backup.key': 'The key is beside it, sealed with the passphrase: {file}. Nothing opens it without that',
  'backup.key_apart':
    'The key is not in the backup, it is here: {file}. Keep it apart from the backup: without it the secrets can’t be read. To seal it beside: --passphrase-file',
  'backup.passphrase_short': 'The passphrase of a backup has at least {n} characters',
  'backup.passphrase_needed':
    'The key beside the backup is sealed. Give its passphrase: --passphrase-file or SEO_ADMIN_BACKUP_PASSPHRASE',
  'backup.passphrase_wrong': 'The passphrase does not open {key}, or the file is damaged. The database was not touched',
  'doctor.key_unsealed': 'no sealed copy of the key was ever made: seo-admin db backup FILE --passphrase-file FILE',
  'backup.no_checksum': 'There is no sum beside the backup: only its integrity was checked',
  'backup.no_key': "There is no key beside the backup: if it comes from another machine, stored secrets can't be read",
  'backup.restored': 'The database is restored from {file}',
  'backup.kept': 'The former database: {file}',
  'copy.not_empty': 'The target is not empty ({tables}): copy into a new database',
  'copy.other_migrations': 'The target is of another version ({names}): copy into a new database',
  'copy.pending': 'The database has to be brought up to date first ({names}): seo-admin db migrate',
  'copy.itself': 'That is the database itself',
  'copy.zero_byte': 'A text in {table} ({row}) has a zero byte, which PostgreSQL does not take. Nothing was copied',
  'copy.differs': 'The copy of {table} differs from its source. Nothing was copied',
  'copy.bad_address': 'The address of a database is postgres://login@host/name or sqlite:file',
  'copy.password': 'Other processes see a password in the address. Give it by --password-file or --password-stdin',
  'copy.would': 'Would copy {rows} rows from {from} to {to}. Nothing was changed',
  'copy.done':
    'Copied and compared: {rows} rows from {from} to {to}. Now name the copy in DATABASE_URL. Its key stays {key}',
  'doctor.ok': '{what}',
  'doctor.failed': '{reason}',
  'doctor.node': 'Node {version} is too old: 20.19 or newer is needed',
  'doctor.no_data_dir': 'there is no data directory yet: {dir}. First: seo-admin init',
  'doctor.data_dir': 'no access to the data directory: {dir}',
  'doctor.data_dir_open': 'others can read the data directory: chmod 700 {dir}',
  'doctor.disk': '{free} MB are left on the disk',
  'doctor.key_lost': 'the key is gone: {path}. Bring it back from a backup',
  'doctor.no_key': 'there is no key yet: {path}',
  'doctor.no_database': 'there is no database yet: {file}',
  'doctor.damaged': 'the database is damaged: {reason}. Bring a backup back: seo-admin db restore',
  'doctor.pending': 'the database is not up to date: {names}. seo-admin db migrate',
  'doctor.sizes':
    'the database file has {file} MB ({free} free), its log {wal}; checks take {history}, operations {operations}, templates and sites {templates}, the audit {audit}',
  'doctor.found': 'not in order: {count}',
};
