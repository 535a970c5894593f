import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';

const FILE = new URL('../../bench/soak.json', import.meta.url);

/** Writes what a part found to bench/soak.json, in the place of what it found before. */
export async function keepFigures(name: string, settings: object, result: unknown): Promise<void> {
  const kept = await readFile(FILE, 'utf8').catch(() => '{}');
  const machine = {
    processors: cpus().length,
    model: cpus()[0]?.model,
    node: process.version,
    /** Of the last 15 minutes: how much it had to do beside this, too. */
    loadAverage: Math.round((loadavg()[2] as number) * 10) / 10,
  };
  const figures = { ...JSON.parse(kept), [name]: { machine, settings, result } };
  await writeFile(FILE, `${JSON.stringify(figures, null, 2)}\n`);
}
