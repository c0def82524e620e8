import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

import { shortClassNames } from './tools/class-names.ts';
import { houseFrame } from './tools/house-frame.ts';
import { htmlShell } from './tools/html-shell.ts';
import { notices } from './tools/notices.ts';
import { partFiles, parts } from './tools/parts.ts';
import { pwa } from './tools/pwa.ts';
import { widgetFrame } from './tools/widget-frame.ts';

// Lingui's macros are the only thing Babel is here for, so it only sees the files that use them.
const linguiMacros = {
  preset: () => ({ plugins: ['@lingui/babel-plugin-lingui-macro'] }),
  rolldown: { filter: { code: /@lingui\/(?:core|react)\/macro/ } },
};

const api = process.env.FAIRGROUND_API ?? 'http://127.0.0.1:8080';

const everyScreen =
  /src[\\/]ui[\\/](?:Badge|Button|buttonClass|Empty|ErrorRetry|Icon|IconButton|LazyScreen|Logo|NoticeBar|PageTransition|Picture|pointing|PullToRefresh|Skeleton|Spinner|Tile|Toast)\./;

// The parts of the API that home itself needs. What other screens call comes with them.
const homeApi =
  'catalogue|categories|category-table|client|content|content-types|early|error|home-calls|launch|member|require-login|session|status|switches|system|vendor-codes';

// Lists that grow are never on home, and home changes nothing.
const notLists = String.raw`(?!.*(?:[iI]nfiniteQuery(?:Observer|Options)?|useMutation|mutationObserver)\.js)`;

const everyPage = new RegExp(
  String.raw`node_modules[\\/](?:@tanstack|@lingui|openapi-fetch|wouter|zustand)[\\/]${notLists}` +
    String.raw`|src[\\/]lib[\\/](?!base64url|blob-address|clipboard|country|decimal|draft|fairness|focus|game-messages|into-view|minor|money|phone|short-number|slot-atlas|sse|symbol-words|typed-amount|validation|way-back|when|widget)` +
    String.raw`|src[\\/]api[\\/](?:${homeApi})\.`,
);

const shell = htmlShell();

const messages = () => [
  babel({ presets: [linguiMacros] }),
  lingui({ cwd: import.meta.dirname, failOnCompileError: true }),
];

const targets = {
  target: ['chrome120', 'safari16.4', 'firefox128'],
  // Older targets pad every color-scheme for light-dark(), which is not used here.
  cssTarget: ['chrome123', 'safari17.5', 'firefox128'],
};

const house = houseFrame(messages, targets);

// They replace modules, which would stay replaced for the files that share their page.
const replacing = ['house/{slot,table}/{game,balance}.test.ts'];

// A test that needs a page is a .test.tsx, or says so in its first line. All others run in Node alone.
const needsPage = globSync('{src,house}/**/*.test.ts', { cwd: import.meta.dirname }).filter(
  (file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8').startsWith(
      '// @vitest-environment jsdom',
    ),
);

// A busy machine is slow, not wrong.
const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

const appTests = {
  ...patience,
  environment: 'jsdom',
  setupFiles: ['src/lib/testing/setup.ts'],
  restoreMocks: true,
  // It keeps the words that were loaded: each file begins with none, as with modules of our own.
  server: { deps: { inline: [/@lingui\/(?:core|react)/] } },
  // Class names are asserted by their plain name.
  css: { modules: { classNameStrategy: 'non-scoped' as const } },
};

export default defineConfig(({ command }) => ({
  base: '/m/',
  plugins: [
    parts(import.meta.dirname),
    react(),
    messages(),
    shell,
    house,
    notices(house),
    pwa(shell),
    widgetFrame(),
  ],
  server: {
    proxy: Object.fromEntries(['/wps', '/lgw', '/house'].map((path) => [path, { target: api }])),
  },
  build: {
    ...targets,
    outDir: 'dist',
    assetsDir: 'assets',
    // The content security policy allows no data: URLs for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: partFiles,
    rolldownOptions: {
      // A code of the wire has one name in the source and no place of its own in what is shipped.
      optimization: { inlineConst: true },
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
    // Vitest would leave a core idle, which of two is half the machine.
    maxWorkers: '100%',
    // Each test that waits for what never comes waits for a minute: a screen that throws is told by a few of them.
    bail: 5,
    projects: [
      {
        extends: true,
        test: {
          ...appTests,
          name: 'page',
          include: ['{src,house}/**/*.test.tsx', ...needsPage],
          exclude: replacing,
          // One page for many files, which the setup clears: making one took longer than most files.
          isolate: false,
        },
      },
      { extends: true, test: { ...appTests, name: 'replacing', include: replacing } },
      {
        extends: true,
        test: {
          ...patience,
          name: 'plain',
          include: ['{src,house}/**/*.test.ts'],
          exclude: needsPage,
          environment: 'node',
          setupFiles: ['src/lib/testing/setup-plain.ts'],
          restoreMocks: true,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...patience,
          name: 'tools',
          include: ['{art,tools}/**/*.test.ts'],
          environment: 'node',
        },
      },
    ],
  },
}));
