// Fetches a copy from a folder on a server into a file, and says how that ended.
import { openSftpTarget } from '../../src/providers/backups/sftp.ts';

const [port = '', hostKey = '', name = '', path = ''] = process.argv.slice(2);
const login = { host: '127.0.0.1', port: Number(port), user: 'backup', secret: 'secret' };
const target = await openSftpTarget({ ...login, folder: '/in', hostKey });
const end = await target.get(name, path).then(
  () => 'fetched',
  (error: NodeJS.ErrnoException) => error.code ?? error.message,
);
await target.close();
console.log(end);
