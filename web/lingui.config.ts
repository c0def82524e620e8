import { defineConfig } from '@lingui/cli';

const never = ['**/*.test.{ts,tsx}', '**/features/gallery/**', '**/lib/testing/**'];

// The menu's words come with the menu.
const menu = ['app/SideMenu.tsx', 'app/MenuProfile.tsx', 'ui/LookSettings.tsx'];

// Said by the games, and by the proofs of their rounds.
const symbolWords = 'src/lib/symbol-words.ts';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['vi', 'en', 'ur', 'pt'],
  catalogs: [
    {
      // What the shell and home say, and what any call may be refused with: it is part of the first load.
      path: '<rootDir>/src/i18n/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: [
        ...never,
        '**/features/!(home)/**',
        '**/features/home/further/**',
        '**/ui/{display,form}/**',
        ...menu.map((file) => `**/${file}`),
        '**/i18n/refusals{,-house,-limits}.ts',
        `**/${symbolWords}`,
      ],
    },
    {
      // What every further screen says, the pieces of their forms and displays, and what follows home's games.
      path: '<rootDir>/src/i18n/locales/further/{locale}',
      include: [
        '<rootDir>/src/features',
        '<rootDir>/src/ui/display',
        ...menu.map((file) => `<rootDir>/src/${file}`),
        '<rootDir>/src/ui/form',
        '<rootDir>/src/i18n/refusals.ts',
        '<rootDir>/src/i18n/refusals-house.ts',
        '<rootDir>/src/i18n/refusals-limits.ts',
        `<rootDir>/${symbolWords}`,
      ],
      exclude: [...never, '**/features/home/*.{ts,tsx}'],
    },
    {
      // What the House's games say: they are pages of their own.
      path: '<rootDir>/house/locales/{locale}',
      include: ['<rootDir>/house', `<rootDir>/${symbolWords}`],
      exclude: never,
    },
  ],
  // Line numbers would change the catalogues with every edit.
  formatOptions: { lineNumbers: false },
});
