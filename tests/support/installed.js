// The package as a user gets it: packed, and installed into an empty folder without a network.
import { execFileSync, spawnSync } from 'node:child_process';
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
 *  @param {string} [parent] the folder that the new folder is made in
 *  @returns {{ folder: string, packed: string[], bytes: number, integrity: string, remove: () => void }}
 *    the folder; the files in heed's tarball, its size and its hash */
export function installPackage(parent = tmpdir()) {
  // Test files may run side by side, so none of them builds.
  const { status } = spawnSync('make', ['-q', 'package'], { cwd: ROOT });
  if (status !== 0) throw new Error('what the package ships is not built, or older than its sources: run make package');

  const folder = mkdtempSync(join(parent, 'heed-installed-'));
  const options = { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' };
  const npm = (...args) => execFileSync('npm', [...args, '--ignore-scripts', '--loglevel=error'], options);
  const packs = ['.', './models', ...dependencies().map((path) => `./${path}`)];
  const [heed, models, ...others] = JSON.parse(npm('pack', ...packs, '--pack-destination', folder, '--json'));
  const tarballs = [heed, models, ...others]
    .map(({ filename }) => join(folder, filename.replace('@', '').replace('/', '-')));
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  npm('install', '--prefix', folder, '--offline', '--no-audit', '--no-fund', ...tarballs);
  return {
    folder,
    packed: heed.files.map(({ path }) => path),
    bytes: heed.size,
    integrity: heed.integrity,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
