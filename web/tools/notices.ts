// Writes notices.txt beside the app: whose work is in it, and the terms that have to travel with it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'vite';

import type { HouseFrame } from './house-frame.ts';

const folder = join(import.meta.dirname, '..', 'node_modules');

/** What is shipped as pictures and letters, which the modules of the app do not tell. */
const drawn = [
  '@iconify-json/ph',
  'circle-flags',
  '@fontsource/be-vietnam-pro',
  '@fontsource/noto-naskh-arabic',
];

/** Fonts and pictures that are committed to this project, each with its licence file. */
const own = [
  { name: 'Fluent Emoji', licence: 'MIT', text: 'art/LICENSE-fluent-emoji.txt' },
  { name: 'Anton', licence: 'OFL-1.1', text: 'house/fonts/OFL-anton.txt' },
  { name: 'Bungee', licence: 'OFL-1.1', text: 'house/fonts/OFL-bungee.txt' },
  { name: 'Playfair Display', licence: 'OFL-1.1', text: 'house/fonts/OFL-playfair.txt' },
];

/** Holders of rights that a package does not name, because it only packs their work. */
const holders: Record<string, string> = {
  '@iconify-json/ph': 'Copyright (c) Phosphor Icons',
};

/** The games are built apart: their modules are told. */
export function notices(house: HouseFrame): Plugin {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? file.moduleIds : [],
      );
      this.emitFile({
        type: 'asset',
        fileName: 'notices.txt',
        source: writeNotices(packagesOf([...modules, ...house.modules])),
      });
    },
  };
}

/** The packages that files come from. */
export function packagesOf(files: readonly string[]): string[] {
  const names = files.flatMap((file) => {
    const inside = file.replaceAll('\\', '/').split('/node_modules/').slice(1).at(-1);
    return /^(?:@[^/]+\/)?[^/]+/.exec(inside ?? '')?.[0] ?? [];
  });
  return [...new Set(names)].toSorted();
}

/** The notices of the pictures and letters, then of the code. */
export function writeNotices(code: readonly string[]): string {
  const rest = code.filter((name) => !drawn.includes(name) && existsSync(join(folder, name)));
  return [...drawn.map(noticeOf), ...own.map(ownNotice), ...rest.map(noticeOf)].join(
    `\n${'-'.repeat(80)}\n\n`,
  );
}

function ownNotice({ name, licence, text }: (typeof own)[number]): string {
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

/** The terms of the MIT licence, for packages that name it without saying it. */
function mit(): string {
  const text = readFileSync(join(folder, 'circle-flags', 'LICENSE.md'), 'utf8');
  return text.slice(text.indexOf('Permission is hereby granted')).trim();
}
