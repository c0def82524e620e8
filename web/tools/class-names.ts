// Generates short class names for the build. The names of a file share a prefix and are numbered, so they compress well. The same
// sources always get the same names.
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

/** Returns the function that names a class. Names depend on paths relative to `root`. */
export function shortClassNames(root: string) {
  return (name: string, file: string, css: string): string => {
    const names = [...css.matchAll(/(?:\.|@keyframes\s+)([A-Za-z][\w-]*)/g)].map(
      (found) => found[1],
    );
    const at = [...new Set(names)].indexOf(name);
    if (at < 0) throw new Error(`class-names: cannot find ${name} in ${file}`);
    return `_${filePrefix(relative(root, file))}${at.toString(36)}`;
  };
}

/** Returns three letters for a file. class-names.test.ts checks that they are unique. */
export function filePrefix(path: string): string {
  const digest = createHash('sha256').update(path).digest('base64');
  return digest.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 3);
}
