import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import type { Plugin, PluginOption } from 'vite';
import { defineConfig } from 'vitest/config';

import { pages } from './pages.ts';
import { shortClassNames } from './tools/class-names.ts';
import { htmlShell } from './tools/html-shell.ts';
import { notices } from './tools/notices.ts';
import { separatePages } from './tools/pages.ts';
import { pwa } from './tools/pwa.ts';
import { widgetFrame } from './tools/widget-frame.ts';

// Babel runs only for Lingui's macros, and only on files that use them.
const linguiMacros = {
  preset: () => ({ plugins: ['@lingui/babel-plugin-lingui-macro'] }),
  rolldown: { filter: { code: /@lingui\/(?:core|react)\/macro/ } },
};

const api = process.env.FAIRGROUND_API ?? 'http://127.0.0.1:8080';

// Each group is one file with all code that its modules import. A module joins the first group that matches it. Home's first visit loads
// the groups from `react` to `games`, so their number is limited: e2e/journeys/page-size.spec.ts counts the files.
const chunkGroups = [
  // Changes rarely, so its hash and cache entry survive most releases.
  {
    name: 'react',
    test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|rolldown[\\/:]runtime/,
  },
  // With what would only cost requests as separate files: what home loads next, and small parts of many screens.
  {
    name: 'app',
    test: /src[\\/](?:app[\\/](?:main|LanguageFloat|pwa)|ui[\\/]display[\\/]Poster)\.tsx?$/,
  },
  // The addresses of all other chunks, and small modules that would otherwise join a large group.
  {
    name: 'screens',
    test: /src[\\/](?:app[\\/]lazy-screens|i18n[\\/]catalogues|lib[\\/]dates|ui[\\/](?:useModal|useCloseOnBack))\.ts$/,
  },
  { name: 'banners', test: /src[\\/]features[\\/]home[\\/]SlidingBanners\.tsx$/ },
  // Announcements over home. They load if one is due, or after the first input.
  {
    name: 'announcements',
    test: /src[\\/]app[\\/]HomePopups\.tsx$|node_modules[\\/]dompurify[\\/]/,
  },
  // The rest of home, and what other lists of games share with it.
  { name: 'games', test: /src[\\/]features[\\/]home[\\/]deferred[\\/]/ },
  { name: 'popups', test: /src[\\/]ui[\\/](?:DialogView|SheetView)\.tsx$/ },
  {
    name: 'forms',
    test: /src[\\/]ui[\\/](?:Field\.|form[\\/](?:CaptchaField|PasswordField|PhoneField|useSubmit))/,
  },
];

const shell = htmlShell();

/** Compiles the catalogues that a configuration lists. Lingui rejects all others. */
const catalogues = (config: string, includes: (file: string) => boolean): Plugin[] =>
  lingui({ configPath: join(import.meta.dirname, config), failOnCompileError: true }).map(
    (plugin) => {
      const { transform } = plugin;
      if (typeof transform !== 'function') return plugin;
      plugin.transform = function transformIncluded(code, file, options) {
        return includes(file) ? transform.call(this, code, file, options) : null;
      };
      return plugin;
    },
  );

const isConsole = (file: string): boolean => file.startsWith(join(import.meta.dirname, 'console/'));

const messages = (): PluginOption[] => [
  babel({ presets: [linguiMacros] }),
  catalogues('lingui.config.ts', (file) => !isConsole(file)),
  catalogues('console/lingui.config.ts', isConsole),
];

const targets = {
  target: ['chrome120', 'safari16.4', 'firefox128'],
  // Older CSS targets add fallbacks for light-dark(), which the app does not use.
  cssTarget: ['chrome123', 'safari17.5', 'firefox128'],
};

// Readable names during development, short names in the build.
const css = (command: 'build' | 'serve') => ({
  modules: {
    localsConvention: 'camelCaseOnly' as const,
    ...(command === 'build' && { generateScopedName: shortClassNames(import.meta.dirname) }),
  },
});

const otherPages = separatePages({
  plugins: () => [react(), messages()],
  css: css('build'),
  build: targets,
});

const sources = `{${['src', ...pages.map(({ name }) => name)].join(',')}}`;

// These mock modules and need isolation from other test files.
const mockingTests = ['house/{slot,table}/{game,balance,connection,free-rounds}.test.ts'];

// A .test.ts file that needs jsdom says so in its first line. Every .test.tsx file runs in jsdom.
const jsdomTests = globSync(`${sources}/**/*.test.ts`, { cwd: import.meta.dirname }).filter(
  (file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8').startsWith(
      '// @vitest-environment jsdom',
    ),
);

// Long enough for a slow machine.
const testTimeouts = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

const appTests = {
  ...testTimeouts,
  environment: 'jsdom',
  setupFiles: ['src/lib/testing/setup.ts'],
  restoreMocks: true,
  // Lingui keeps loaded messages. Inlined, it is reset for each test file.
  server: { deps: { inline: [/@lingui\/(?:core|react)/] } },
  // Tests check class names without a hash.
  css: { modules: { classNameStrategy: 'non-scoped' as const } },
};

export default defineConfig(({ command }) => ({
  base: '/m/',
  plugins: [react(), messages(), shell, otherPages, notices(otherPages), pwa(shell), widgetFrame()],
  server: {
    proxy: Object.fromEntries(
      ['/wps', '/lgw', '/ops', '/house'].map((path) => [path, { target: api }]),
    ),
  },
  build: {
    ...targets,
    outDir: 'dist',
    assetsDir: 'assets',
    // The content security policy allows no data: URLs for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Constants such as wire codes are inlined in the bundle.
      optimization: { inlineConst: true },
      output: {
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
  css: css(command),
  test: {
    // By default Vitest leaves one core idle.
    maxWorkers: '100%',
    // A test that waits for a missing element takes a minute, so stop after a few failures.
    bail: 5,
    projects: [
      {
        extends: true,
        test: {
          ...appTests,
          name: 'page',
          include: [`${sources}/**/*.test.tsx`, ...jsdomTests],
          exclude: mockingTests,
          // Files share one jsdom, which the setup resets, because creating it takes longer than most files.
          isolate: false,
        },
      },
      { extends: true, test: { ...appTests, name: 'mocking', include: mockingTests } },
      {
        extends: true,
        test: {
          ...testTimeouts,
          name: 'plain',
          include: [`${sources}/**/*.test.ts`],
          exclude: jsdomTests,
          environment: 'node',
          setupFiles: ['src/lib/testing/setup-plain.ts'],
          restoreMocks: true,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...testTimeouts,
          name: 'tools',
          include: ['{art,tools}/**/*.test.ts'],
          environment: 'node',
        },
      },
    ],
  },
}));
