import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

import { shortClassNames } from './tools/class-names.ts';
import { htmlShell } from './tools/html-shell.ts';
import { notices } from './tools/notices.ts';
import { pwa } from './tools/pwa.ts';

// Lingui's macros are the only thing Babel is here for, so it only sees the files that use them.
const linguiMacros = {
  preset: () => ({ plugins: ['@lingui/babel-plugin-lingui-macro'] }),
  rolldown: { filter: { code: /@lingui\/(?:core|react)\/macro/ } },
};

const api = process.env.FAIRGROUND_API ?? 'http://127.0.0.1:8080';

const everyScreen =
  /src[\\/]ui[\\/](?:Badge|Button|buttonClass|Empty|ErrorRetry|Icon|IconButton|icons|LazyScreen|Logo|NoticeBar|PageTransition|Picture|Skeleton|Spinner|Tile|Toast)\./;

const everyPage =
  /node_modules[\\/](?:@tanstack|@lingui|openapi-fetch|wouter|zustand)[\\/]|src[\\/](?:api|lib)[\\/](?!ending|decimal|direction|validation|captcha|registration)/;

const shell = htmlShell();

export default defineConfig(({ command }) => ({
  base: '/m/',
  plugins: [
    react(),
    babel({ presets: [linguiMacros] }),
    lingui({ cwd: import.meta.dirname, failOnCompileError: true }),
    shell,
    notices(),
    pwa(shell),
  ],
  server: {
    proxy: Object.fromEntries(['/wps', '/lgw'].map((path) => [path, { target: api }])),
  },
  build: {
    target: ['chrome120', 'safari16.4', 'firefox128'],
    // Older targets pad every color-scheme for light-dark(), which is not used here.
    cssTarget: ['chrome123', 'safari17.5', 'firefox128'],
    outDir: 'dist',
    assetsDir: 'assets',
    // The content security policy allows no data: URLs for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Changes rarely, so it keeps its hash, and its place in the cache, over most releases.
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
            // What nearly every screen shows or needs: one file compresses better than a dozen.
            { name: 'ui', test: everyScreen },
            { name: 'base', test: everyPage },
          ],
        },
      },
    },
  },
  css: {
    modules: {
      localsConvention: 'camelCaseOnly',
      // Names are for reading while developing; what is shipped is kept short.
      ...(command === 'build' && { generateScopedName: shortClassNames(import.meta.dirname) }),
    },
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'app',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          // A busy machine is slow, not wrong.
          testTimeout: 30_000,
          setupFiles: ['src/lib/testing/setup.ts'],
          restoreMocks: true,
          // Class names are asserted by their plain name.
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        extends: true,
        test: { name: 'tools', include: ['{art,tools}/**/*.test.ts'], environment: 'node' },
      },
    ],
  },
}));
