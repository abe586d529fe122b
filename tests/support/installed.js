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

/** Packs heed and its dependencies, and installs the tarballs without a network.
 *  @param {string} [parent] where to make the new folder
 *  @returns {{ folder: string, packed: string[], bytes: number, integrity: string, remove: () => void }}
 *    the folder; the files in heed's tarball, its size and its hash */
export function installPackage(parent = tmpdir()) {
  // Test files do not build, because several may run at the same time.
  const { status } = spawnSync('make', ['-q', 'package'], { cwd: ROOT });
  if (status !== 0) throw new Error('files of the package are missing or older than their sources: run make package');

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
