import { defineConfig } from '@lingui/cli';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['vi', 'en', 'ur', 'pt'],
  catalogs: [
    {
      path: '<rootDir>/src/i18n/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['**/*.test.{ts,tsx}', '**/features/gallery/**', '**/lib/testing/**'],
    },
  ],
  // Line numbers would change the catalogues with every edit.
  formatOptions: { lineNumbers: false },
});
