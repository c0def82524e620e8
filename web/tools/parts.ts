// Replaces Vite's preload helper by src/lib/parts.ts, which loads all files of a chunk.
import { join } from 'node:path';

import type { BuildOptions, Plugin } from 'vite';

export function parts(root: string): Plugin {
  return {
    name: 'parts',
    enforce: 'pre',
    apply: 'build',
    resolveId: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => join(root, 'src/lib/parts.ts'),
    },
  };
}

/** Files that every page has already loaded. */
const loadedFiles = /^assets\/(?:(?:rolldown-runtime|react|base|ui)-[^/]+\.js|ui-[^/]+\.css)$/;

/** Lists the files of each chunk, including the chunk itself. */
export const partFiles: BuildOptions['modulePreload'] = {
  polyfill: false,
  resolveDependencies: (file, needed, { hostType }) =>
    hostType === 'js'
      ? [...new Set([file, ...needed])].filter((each) => !loadedFiles.test(each))
      : needed,
};
