import { readdirSync } from 'node:fs';

import { defineConfig } from '@lingui/cli';

import { pages } from './pages.ts';

const excluded = ['**/*.test.{ts,tsx}', '**/features/gallery/**', '**/lib/testing/**'];

// Parts of the shell and of the design system that home loads on demand.
const onDemand = [
  'app/GuestQuestion.tsx',
  'app/MenuProfile.tsx',
  'app/NotOpenScreen.tsx',
  'app/SideMenu.tsx',
  'ui/Field.tsx',
  'ui/InfiniteGrid.tsx',
  'ui/LookSettings.tsx',
];

// Used by the games and by the proofs of their rounds.
const symbolWords = 'src/lib/symbol-words.ts';

// What the lottery uses of the app.
const lotteryTexts = [
  'i18n/errors.ts',
  'i18n/refusals-limits.ts',
  'i18n/refusals-lottery.ts',
  'i18n/refusals-play.ts',
  'ui/ErrorRetry.tsx',
  'ui/Toast.tsx',
  'ui/display/DrawProof.tsx',
  'ui/display/DrawResult.tsx',
  'ui/display/Hex.tsx',
  'ui/display/QueryView.tsx',
].map((file) => `<rootDir>/src/${file}`);

const textsOfPage: Readonly<Record<string, readonly string[]>> = {
  house: [`<rootDir>/${symbolWords}`],
  lottery: lotteryTexts,
};

// Every feature except home has a catalogue with its own name, loaded with its screens.
const features = readdirSync(new URL('src/features', import.meta.url)).filter(
  (name) => name !== 'home' && name !== 'gallery',
);

export default defineConfig({
  sourceLocale: 'en',
  locales: ['vi', 'en', 'ur', 'pt'],
  catalogs: [
    {
      // The shell, home and the errors of any call: part of the first load.
      path: '<rootDir>/src/i18n/locales/home/{locale}',
      include: ['<rootDir>/src'],
      exclude: [
        ...excluded,
        '**/features/!(home)/**',
        '**/features/home/deferred/**',
        '**/ui/{display,form}/**',
        ...onDemand.map((file) => `**/${file}`),
        '**/i18n/refusals{,-*}.ts',
        `**/${symbolWords}`,
      ],
    },
    {
      // Shared by all other screens: forms, displays, refusals, and the blocks that home loads later.
      path: '<rootDir>/src/i18n/locales/shared/{locale}',
      include: [
        '<rootDir>/src/features/home/deferred',
        '<rootDir>/src/ui/display',
        ...onDemand.map((file) => `<rootDir>/src/${file}`),
        '<rootDir>/src/ui/form',
        '<rootDir>/src/i18n/refusals.ts',
        '<rootDir>/src/i18n/refusals-chat.ts',
        '<rootDir>/src/i18n/refusals-deposit.ts',
        '<rootDir>/src/i18n/refusals-house.ts',
        '<rootDir>/src/i18n/refusals-limits.ts',
        '<rootDir>/src/i18n/refusals-lottery.ts',
        '<rootDir>/src/i18n/refusals-message.ts',
        '<rootDir>/src/i18n/refusals-play.ts',
        '<rootDir>/src/i18n/refusals-promotion.ts',
        '<rootDir>/src/i18n/refusals-stream.ts',
        '<rootDir>/src/i18n/refusals-withdraw.ts',
        `<rootDir>/${symbolWords}`,
      ],
      exclude: excluded,
    },
    ...features.map((name) => ({
      path: `<rootDir>/src/i18n/locales/${name}/{locale}`,
      include: [`<rootDir>/src/features/${name}`],
      exclude: excluded,
    })),
    // The console has other languages, and its own configuration.
    ...pages
      .filter(({ name }) => name !== 'console')
      .map(({ name }) => ({
        path: `<rootDir>/${name}/locales/{locale}`,
        include: [`<rootDir>/${name}`, ...(textsOfPage[name] ?? [])],
        exclude: excluded,
      })),
  ],
  // Line numbers would change the catalogues with every edit.
  formatOptions: { lineNumbers: false },
});
