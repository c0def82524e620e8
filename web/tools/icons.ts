// Writes src/ui/icons.svg: one symbol of the Phosphor set for each name in src/ui/icons.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { iconNames } from '../src/ui/icons.ts';

type IconSet = {
  width: number;
  height: number;
  icons: Record<string, { body: string } | undefined>;
};

const target = new URL('../src/ui/icons.svg', import.meta.url);

export function buildSprite(): string {
  const source = createRequire(import.meta.url).resolve('@iconify-json/ph/icons.json');
  const set: IconSet = JSON.parse(readFileSync(source, 'utf8'));
  const symbols = iconNames.map((name) => {
    const icon = set.icons[name];
    if (!icon) throw new Error(`the icon set has no icon named ${name}`);
    return `<symbol id="${name}" viewBox="0 0 ${set.width} ${set.height}">${icon.body}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('\n')}\n</svg>\n`;
}

export function readSprite(): string {
  return readFileSync(target, 'utf8');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(target, buildSprite());
}
