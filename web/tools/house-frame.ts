// Builds the page of the House's games at house/, with its files in assets/house/. It is a separate build, so that the app and the games
// share no chunks.
import { join } from 'node:path';

import { build, type Plugin, type PluginOption, type UserConfig } from 'vite';

const root = join(import.meta.dirname, '..');

export type HouseFrame = Plugin & {
  /** The modules of the games, filled by the build. */
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
        // The app's build has already emitted the shared fonts.
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
  const result = await build({
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
  const [first] = Array.isArray(result) ? result : [result];
  if (!first || !('output' in first)) throw new Error('house-frame: the build has no output');
  return first.output;
}

/** Removes the engine's modules for other environments. The games import the ones that they need. */
function withoutEnvironments(): Plugin {
  const emptyModule = '\0without-environments';
  return {
    name: 'without-environments',
    enforce: 'pre',
    resolveId: (id) => (/\/(?:browserAll|webworkerAll)\.mjs$/.test(id) ? emptyModule : null),
    load: (id) => (id === emptyModule ? '' : null),
  };
}
