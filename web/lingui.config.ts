import { defineConfig } from '@lingui/cli';

const never = ['**/*.test.{ts,tsx}', '**/features/gallery/**', '**/lib/testing/**'];

// Parts of the shell and of the design system that home shows only on demand.
const onDemand = [
  'app/GuestQuestion.tsx',
  'app/MenuProfile.tsx',
  'app/NotOpenScreen.tsx',
  'app/SideMenu.tsx',
  'ui/Field.tsx',
  'ui/InfiniteGrid.tsx',
  'ui/LookSettings.tsx',
];

// Said by the games, and by the proofs of their rounds.
const symbolWords = 'src/lib/symbol-words.ts';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['vi', 'en', 'ur', 'pt'],
  catalogs: [
    {
      // What the shell and home say, and what any call may fail with: it is part of the first load.
      path: '<rootDir>/src/i18n/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: [
        ...never,
        '**/features/!(home)/**',
        '**/features/home/deferred/**',
        '**/ui/{display,form}/**',
        ...onDemand.map((file) => `**/${file}`),
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
        ...onDemand.map((file) => `<rootDir>/src/${file}`),
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
