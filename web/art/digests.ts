/**
 * Digests of what each committed picture is painted from: its SVG text, the painter and the pinned packages. The gate compares them
 * with digests.json and never paints.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { filesOf, type Picture } from './picture.ts';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

export function digestsOf(pictures: readonly Picture[]): Record<string, string> {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object };
  const tools = read('raster.ts') + JSON.stringify(dependencies);
  return Object.fromEntries(
    pictures.flatMap((picture) => {
      const input = createHash('sha256').update(tools).update(JSON.stringify(picture));
      return filesOf(picture).map((file) => [
        file,
        input.copy().update(file).digest('base64url').slice(0, 22),
      ]);
    }),
  );
}

/** The digests of the committed pictures, by file. */
export const committedDigests = (): Record<string, string> =>
  JSON.parse(read('digests.json')) as Record<string, string>;
