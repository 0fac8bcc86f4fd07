import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../shared/errors.ts';
import type { Config } from './config.ts';

/** The file that a running demo keeps in its folder for commands: its process, its data directory and the URLs of its services. */
interface Running {
  pid: number;
  config: Config;
}

const fileIn = (folder: string): string => join(folder, 'running.json');

/** Leaves the configuration of a demo of this process in the demo's folder, until the function that it returns is called. */
export async function announceDemo(config: Config): Promise<() => Promise<void>> {
  const running: Running = { pid: process.pid, config };
  const file = fileIn(config.dataDir);
  await rm(file, { force: true });
  await writeFile(file, JSON.stringify(running), { mode: 0o600 });
  return () => rm(file, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function read(file: string): Running | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Running;
  } catch {
    return null;
  }
}

/** Returns the configuration of the demo that runs beside this data. Throws AppError `not_configured` where none does, also after one was killed. */
export function runningDemo({ dataDir }: Pick<Config, 'dataDir'>): Config {
  const running = read(fileIn(join(dataDir, 'demo')));
  if (running && isAlive(running.pid)) return running.config;
  throw new AppError('not_configured', 'demo.not_running', {}, { code: 'demo_not_running' });
}
