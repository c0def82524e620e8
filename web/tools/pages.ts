// Builds the pages of pages.ts at <name>/index.html, with their files in assets/<name>/. Each is a separate build, so that they share no
// chunks with the app or with each other.
import { join } from 'node:path';

import { build, type Plugin, type PluginOption, type UserConfig } from 'vite';

import { pages, type Page } from '../pages.ts';

const root = join(import.meta.dirname, '..');

/** The part of the app's configuration that all pages share. */
export type SharedConfig = Pick<UserConfig, 'css'> & {
  plugins: () => PluginOption[];
  build: Pick<NonNullable<UserConfig['build']>, 'target' | 'cssTarget'>;
};

export type SeparatePages = Plugin & {
  /** The modules of the pages, filled by the build. */
  modules: ReadonlySet<string>;
};

export function separatePages(shared: SharedConfig): SeparatePages {
  const modules = new Set<string>();
  return {
    name: 'separate-pages',
    modules,
    // The development server serves the page at the addresses of the real server.
    configureServer(server) {
      server.middlewares.use((request, _, next) => {
        const page = pages.find(({ path }) => isBelow(request.url ?? '', path));
        if (page && request.headers.accept?.includes('text/html'))
          request.url = `/m/${page.name}/index.html`;
        next();
      });
    },
    async generateBundle(_, bundle) {
      const outputs = await Promise.all(pages.map((page) => filesOf(page, shared)));
      const emitted = new Set(Object.keys(bundle));
      for (const file of outputs.flat()) {
        if (file.type === 'chunk') for (const id of file.moduleIds) modules.add(id);
        // Fonts and icons are shared.
        if (emitted.has(file.fileName)) continue;
        emitted.add(file.fileName);
        const source = file.type === 'chunk' ? file.code : file.source;
        this.emitFile({ type: 'asset', fileName: file.fileName, source });
      }
    },
  };
}

const isBelow = (url: string, path: string): boolean => {
  const { pathname } = new URL(url, 'http://localhost');
  return pathname === path || pathname.startsWith(`${path}/`);
};

async function filesOf({ name }: Page, shared: SharedConfig) {
  const folder = `assets/${name}`;
  const result = await build({
    configFile: false,
    root,
    base: '/m/',
    logLevel: 'error',
    css: shared.css,
    plugins: [...shared.plugins(), withoutEnvironments()],
    build: {
      ...shared.build,
      write: false,
      copyPublicDir: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(root, name, 'index.html'),
        output: {
          entryFileNames: `${folder}/[name]-[hash].js`,
          chunkFileNames: `${folder}/[name]-[hash].js`,
          assetFileNames: ({ names }) =>
            /\.(?:woff2|svg)$/.test(names[0] ?? '')
              ? 'assets/[name]-[hash][extname]'
              : `${folder}/[name]-[hash][extname]`,
        },
      },
    },
  });
  const [first] = Array.isArray(result) ? result : [result];
  if (!first || !('output' in first)) throw new Error(`pages: the build of ${name} has no output`);
  return first.output;
}

/** Removes the modules of the games' graphics engine for other environments. The games import the ones that they need. */
function withoutEnvironments(): Plugin {
  const emptyModule = '\0without-environments';
  return {
    name: 'without-environments',
    enforce: 'pre',
    resolveId: (id) => (/\/(?:browserAll|webworkerAll)\.mjs$/.test(id) ? emptyModule : null),
    load: (id) => (id === emptyModule ? '' : null),
  };
}
