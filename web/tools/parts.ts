// Lets the app's own code fetch its parts (src/lib/parts.ts) instead of the bundler's, and tells it every file of each.
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

/** What comes with every page: it need not be named again with each part. */
const withThePage = /^assets\/(?:(?:rolldown-runtime|react|base|ui)-[^/]+\.js|ui-[^/]+\.css)$/;

/** A part's own file too, even where it needs no other. */
export const partFiles: BuildOptions['modulePreload'] = {
  polyfill: false,
  resolveDependencies: (file, needed, { hostType }) =>
    hostType === 'js'
      ? [...new Set([file, ...needed])].filter((each) => !withThePage.test(each))
      : needed,
};
