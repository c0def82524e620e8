// Class names for the shipped style sheets: a file's names share their first letters and count up, so that
// they compress to little. The same sources always give the same names.
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

/** Makes the function that names a class; `root` keeps a machine's own paths out of the names. */
export function shortClassNames(root: string) {
  return (name: string, file: string, css: string): string => {
    const names = [...css.matchAll(/(?:\.|@keyframes\s+)([A-Za-z][\w-]*)/g)].map(
      (found) => found[1],
    );
    const at = [...new Set(names)].indexOf(name);
    if (at < 0) throw new Error(`${file} names ${name} in a way that is not understood here`);
    return `_${fileMark(relative(root, file))}${at.toString(36)}`;
  };
}

/** Three letters that stand for a file; class-names.test.ts proves that no two files share them. */
export function fileMark(path: string): string {
  const digest = createHash('sha256').update(path).digest('base64');
  return digest.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 3);
}
