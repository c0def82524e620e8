import { defineConfig } from '@lingui/cli';

// The language switch, the tests and the rules expect these two languages.
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'vi'],
  rootDir: import.meta.dirname,
  catalogs: [
    {
      path: '<rootDir>/locales/{locale}',
      include: ['<rootDir>'],
      exclude: ['**/*.test.{ts,tsx}', '**/testing/**'],
    },
  ],
  // Line numbers would change the catalogues with every edit.
  formatOptions: { lineNumbers: false },
});
