// The page of the House's games: a build of its own beside the app's, so that neither carries code of the other, and
// what home loads does not change when a game does. It stands at house/, its files in assets/house/.
import { join } from 'node:path';

import { build, type Plugin, type PluginOption, type UserConfig } from 'vite';

const root = join(import.meta.dirname, '..');

export type HouseFrame = Plugin & {
  /** Every module that is in the games, known once they are built. */
  modules: ReadonlySet<string>;
};

export function houseFrame(
  plugins: () => PluginOption[],
  targets: Pick<NonNullable<UserConfig['build']>, 'target' | 'cssTarget'>,
): HouseFrame {
  const modules = new Set<string>();
  return {
    name: 'house-frame',
    apply: 'build',
    modules,
    async generateBundle(_, bundle) {
      for (const file of await filesOf(plugins(), targets)) {
        // The app's letters are the same files here, and come out of the same cache.
        if (bundle[file.fileName]) continue;
        if (file.type === 'chunk') for (const id of file.moduleIds) modules.add(id);
        const source = file.type === 'chunk' ? file.code : file.source;
        this.emitFile({ type: 'asset', fileName: file.fileName, source });
      }
    },
  };
}

async function filesOf(
  plugins: PluginOption[],
  targets: Pick<NonNullable<UserConfig['build']>, 'target' | 'cssTarget'>,
) {
  const made = await build({
    configFile: false,
    root,
    base: '/m/',
    logLevel: 'error',
    plugins: [...plugins, withoutEnvironments()],
    build: {
      ...targets,
      write: false,
      copyPublicDir: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(root, 'house/index.html'),
        output: {
          entryFileNames: 'assets/house/[name]-[hash].js',
          chunkFileNames: 'assets/house/[name]-[hash].js',
          assetFileNames: ({ names }) =>
            names[0]?.endsWith('.woff2')
              ? 'assets/[name]-[hash][extname]'
              : 'assets/house/[name]-[hash][extname]',
        },
      },
    },
  });
  const [first] = Array.isArray(made) ? made : [made];
  if (!first || !('output' in first)) throw new Error('house-frame: nothing was built');
  return first.output;
}

/** The engine would bring parts for every kind of page; the games name those they need themselves. */
function withoutEnvironments(): Plugin {
  const none = '\0without-environments';
  return {
    name: 'without-environments',
    enforce: 'pre',
    resolveId: (id) => (/\/(?:browserAll|webworkerAll)\.mjs$/.test(id) ? none : null),
    load: (id) => (id === none ? '' : null),
  };
}
