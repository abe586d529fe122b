// The package as a user gets it: packed, and installed into an empty folder without a network.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Every package that heed needs at run time, as it lies in node_modules. */
function dependencies() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.keys(packages).filter((path) => path !== '' && !packages[path].dev);
}

/** Packs heed and what it depends on, and installs the tarballs: all that npm needs is at hand.
 *  @returns {{ folder: string, packed: string[], remove: () => void }} the folder, and the files in heed's tarball */
export function installPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'heed-installed-'));
  const npm = (...args) => execFileSync('npm', [...args, '--loglevel=error'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
  const into = ['--pack-destination', folder, '--json'];
  const [heed] = JSON.parse(npm('pack', ...into).replace(/^[^[]*/, '')); // before it, what prepack says
  const others = dependencies().map((path) => JSON.parse(npm('pack', `./${path}`, '--ignore-scripts', ...into))[0]);
  const tarballs = [heed, ...others].map(({ filename }) => join(folder, filename.replace('@', '').replace('/', '-')));
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  npm('install', '--prefix', folder, '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs);
  return {
    folder,
    packed: heed.files.map(({ path }) => path),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
