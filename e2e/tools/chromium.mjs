// Prints the path of the project's own Chromium, which comes inside an npm package, and nothing where it cannot run.
// It is unpacked once into the user's cache. Plain JavaScript, because set-up runs it with whatever Node there is.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const packed = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/@sparticuz/chromium');

/** Unpacks the browser, its software renderer and the libraries that a bare system lacks. */
function unpack(folder) {
  const open = (name) => brotliDecompressSync(readFileSync(join(packed, 'bin', name)));
  mkdirSync(dirname(folder), { recursive: true });
  // Renamed when it is whole, so that two runs at once both find one that works.
  const making = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(making, 'chromium'), open('chromium.br'), { mode: 0o755 });
    for (const name of ['swiftshader.tar.br', 'al2023.tar.br'])
      execFileSync('tar', ['-x', '--no-same-owner', '-C', making], { input: open(name) });
    writeFileSync(
      join(making, 'chromium-with-libraries'),
      '#!/bin/sh\nhere=$(dirname "$0")\nLD_LIBRARY_PATH="$here/lib" exec "$here/chromium" "$@"\n',
    );
    chmodSync(join(making, 'chromium-with-libraries'), 0o755);
    chmodSync(making, 0o755);
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function runs(path) {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}

function find() {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(packed)) return '';
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'fairground', `chromium-${version}`);
  if (!existsSync(folder)) unpack(folder);
  return [join(folder, 'chromium'), join(folder, 'chromium-with-libraries')].find(runs) ?? '';
}

try {
  process.stdout.write(find());
} catch (error) {
  process.stderr.write(`the project's own Chromium cannot be unpacked: ${error.message}\n`);
}
