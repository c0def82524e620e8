// Writes notices.txt: the licences of everything that the app contains.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'vite';

import type { SeparatePages } from './pages.ts';

const folder = join(import.meta.dirname, '..', 'node_modules');

/** Packages shipped as art or fonts. The module list does not contain them. */
const assetPackages = [
  '@iconify-json/ph',
  'circle-flags',
  '@fontsource/be-vietnam-pro',
  '@fontsource/noto-naskh-arabic',
];

/** Committed fonts and pictures with their licence files. */
const committedAssets = [
  { name: 'Fluent Emoji', licence: 'MIT', text: 'art/LICENSE-fluent-emoji.txt' },
  { name: 'Anton', licence: 'OFL-1.1', text: 'house/fonts/OFL-anton.txt' },
  { name: 'Bungee', licence: 'OFL-1.1', text: 'house/fonts/OFL-bungee.txt' },
  { name: 'Playfair Display', licence: 'OFL-1.1', text: 'house/fonts/OFL-playfair.txt' },
];

/** Copyright holders that a package does not name. */
const holders: Record<string, string> = {
  '@iconify-json/ph': 'Copyright (c) Phosphor Icons',
};

/** Writes the notices of the app and of the pages that are built separately. */
export function notices(pages: SeparatePages): Plugin {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? file.moduleIds : [],
      );
      this.emitFile({
        type: 'asset',
        fileName: 'notices.txt',
        source: writeNotices(packagesOf([...modules, ...pages.modules])),
      });
    },
  };
}

/** Returns the names of the packages that contain the files. */
export function packagesOf(files: readonly string[]): string[] {
  const names = files.flatMap((file) => {
    const inside = file.replaceAll('\\', '/').split('/node_modules/').slice(1).at(-1);
    return /^(?:@[^/]+\/)?[^/]+/.exec(inside ?? '')?.[0] ?? [];
  });
  return [...new Set(names)].toSorted();
}

export function writeNotices(code: readonly string[]): string {
  const rest = code.filter(
    (name) => !assetPackages.includes(name) && existsSync(join(folder, name)),
  );
  return [
    ...assetPackages.map(noticeOf),
    ...committedAssets.map(committedNotice),
    ...rest.map(noticeOf),
  ].join(`\n${'-'.repeat(80)}\n\n`);
}

function committedNotice({ name, licence, text }: (typeof committedAssets)[number]): string {
  const terms = readFileSync(join(import.meta.dirname, '..', text), 'utf8');
  return `${name}\n${licence}\n\n${terms.trim()}\n`;
}

function noticeOf(name: string): string {
  const about = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as {
    license: string;
    author?: string | { name: string };
  };
  const author = typeof about.author === 'object' ? about.author.name : about.author;
  const head = `${name}\n${about.license}\n`;
  const terms = readdirSync(join(folder, name)).find((file) => /^licen[cs]e(?:\.|$)/i.test(file));
  if (terms) return `${head}\n${readFileSync(join(folder, name, terms), 'utf8').trim()}\n`;
  const holder = holders[name] ?? (author ? `Copyright (c) ${author}` : '');
  return `${head}\n${[holder, about.license === 'MIT' ? mit() : ''].filter(Boolean).join('\n\n')}\n`;
}

/** Returns the MIT licence, for packages without a licence file. */
function mit(): string {
  const text = readFileSync(join(folder, 'circle-flags', 'LICENSE.md'), 'utf8');
  return text.slice(text.indexOf('Permission is hereby granted')).trim();
}
