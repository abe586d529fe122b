// Names the processor, for figures of speed.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Extensions that speed depends on, as Linux spells them: x64, then ARM64. Virtual machines often hide the model's
 *  name, but not these. */
const EXTENSIONS = ['avx2', 'avx512f', 'avx512_vnni', 'avx_vnni', 'amx_int8', 'asimddp', 'i8mm'];

/** Extensions from the list above that the processor has; empty if the system does not list them. */
function extensions() {
  try {
    const [, flags = ''] = /^(?:flags|Features)\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? [];
    const has = new Set(flags.split(' '));
    return EXTENSIONS.filter((name) => has.has(name));
  } catch {
    return [];
  }
}

/** Model, extensions and number of processors. */
export function processor() {
  const { length, 0: first } = cpus();
  const has = extensions();
  return `${first?.model.trim() || process.arch}${has.length ? ` (${has.join(', ')})` : ''}, ` +
    `${length} processor${length === 1 ? '' : 's'}`;
}
