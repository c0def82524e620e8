import { defineConfig } from '@lingui/cli';

const never = ['**/*.test.{ts,tsx}', '**/features/gallery/**', '**/lib/testing/**'];

export default defineConfig({
  sourceLocale: 'en',
  locales: ['vi', 'en', 'ur', 'pt'],
  catalogs: [
    {
      // What the shell and home say, and what any call may be refused with: it is part of the first load.
      path: '<rootDir>/src/i18n/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: [...never, '**/features/!(home)/**', '**/ui/form/**', '**/i18n/refusals.ts'],
    },
    {
      // What every further screen says, and the pieces of their forms.
      path: '<rootDir>/src/i18n/locales/further/{locale}',
      include: [
        '<rootDir>/src/features',
        '<rootDir>/src/ui/form',
        '<rootDir>/src/i18n/refusals.ts',
      ],
      exclude: [...never, '**/features/home/**'],
    },
  ],
  // Line numbers would change the catalogues with every edit.
  formatOptions: { lineNumbers: false },
});
