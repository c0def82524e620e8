import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { bannerPictures } from './banner.ts';
import { LANGUAGES, readGames, readVendors } from './catalogue.ts';
import { committedDigests, digestsOf } from './digests.ts';
import { familyNames } from './palette.ts';
import { filesOf } from './picture.ts';
import { pictures } from './pictures.ts';
import { tile } from './tile.ts';

const PUBLIC = new URL('../public/', import.meta.url);
const games = readGames();
const vendors = readVendors();

const digest = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The values that occur more than once. */
const repeated = (values: readonly string[]): string[] =>
  values.filter((value, i) => values.indexOf(value) !== i);

describe('the demo catalogue', () => {
  it('holds more than 320 games with an id each, in every category', () => {
    expect(games.length).toBeGreaterThanOrEqual(320);
    expect(repeated(games.map((game) => game.gameId))).toEqual([]);
    const count = (category: string): number =>
      games.filter((game) => game.category === category).length;
    expect(count('RNG')).toBeGreaterThanOrEqual(170);
    const others = ['FISH', 'LIVE', 'PVP', 'LOTT', 'ELOTT', 'SPORTS', 'ESPORTS', 'JL'];
    expect(others.filter((category) => count(category) < 10)).toEqual([]);
  });

  it.each(LANGUAGES)('names every game in %s, no two alike', (language) => {
    const names = games.map((game) => game.names[language]);
    expect(names.filter((name) => name.trim() === '' || name !== name.trim())).toEqual([]);
    expect(repeated(names.map((name) => name.toLocaleLowerCase(language)))).toEqual([]);
  });

  it('writes Urdu in its own script and with Western digits', () => {
    const wrong = games.filter(
      ({ names }) => !/\p{Script=Arabic}/u.test(names.ur) || /[٠-٩۰-۹]/u.test(names.ur),
    );
    expect(wrong.map((game) => game.gameId)).toEqual([]);
  });

  it('gives each game to a vendor of its category', () => {
    const wrong = games.filter(
      (game) =>
        !vendors.find((vendor) => vendor.code === game.vendor)?.categories.includes(game.category),
    );
    expect(wrong.map((game) => game.gameId)).toEqual([]);
  });

  it('has 30 hot games or more, live tables among them', () => {
    const hot = games.filter((game) => game.hot);
    expect(hot.length).toBeGreaterThanOrEqual(30);
    expect(hot.some((game) => game.category === 'LIVE')).toBe(true);
  });
});

describe('a tile', () => {
  it('is the same for the same game and another for another seed', () => {
    const [game] = games;
    if (!game) throw new Error('no games');
    expect(tile(game.art)).toBe(tile(game.art));
    expect(tile({ ...game.art, seed: game.art.seed + 1 })).not.toBe(tile(game.art));
  });

  it('carries no text, so that it serves every language', () => {
    expect(games.filter((game) => tile(game.art).includes('<text'))).toEqual([]);
  });

  it('refuses a family, scene or motif that does not exist', () => {
    const art = { family: 'indigo', scene: 'rays', motif: '2b50', satellites: [], seed: 1 };
    expect(() => tile({ ...art, family: 'none' })).toThrow('unknown colour family none');
    expect(() => tile({ ...art, scene: 'none' })).toThrow('unknown scene none');
    expect(() => tile({ ...art, motif: 'drawn/none' })).toThrow('unknown motif drawn/none');
  });
});

describe('the colours', () => {
  it('are all used by some game', () => {
    const used = new Set(games.map((game) => game.art.family));
    expect(familyNames.filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('banners from right to left', () => {
  const all = new Map(bannerPictures().map(({ file, svg }) => [file, svg]));
  const pairs = [...all].flatMap(([file, svg]) => {
    const turned = all.get(file.replace('.webp', '-rtl.webp'));
    return turned ? [[file, svg, turned] as const] : [];
  });
  /** Every transform that could mirror a drawing. */
  const turns = (svg: string): string[] =>
    svg.match(/(?:scale\w*|matrix\w*|skew\w*)\([^)]*\)/g) ?? [];
  /** The motif's drawing without its position. */
  const motifOf = (svg: string): string =>
    /<g filter="url\(#lift\)"><g transform="translate\([^)]*\) (rotate[\s\S]*?<\/g><\/g>)/.exec(
      svg,
    )?.[1] ?? '';

  it('come in pairs', () => expect(pairs.length * 2).toBe(all.size));

  it.each(pairs)('%s has the same digits, none of them mirrored', (_, svg, turned) => {
    expect(turns(turned)).toEqual(turns(svg));
    expect(motifOf(svg)).not.toBe('');
    expect(motifOf(turned)).toBe(motifOf(svg));
  });
});

/** Returns the width and height of a WebP file from its first chunk. */
function webpSize(bytes: Buffer): [number, number] {
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (chunk === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  throw new Error(`unexpected WebP chunk ${chunk}`);
}

describe('the committed art', () => {
  const all = pictures(games, vendors);
  const bytes = (file: string): Buffer => readFileSync(new URL(file, PUBLIC));

  it('has a file for every picture', () => {
    const missing = all.flatMap(filesOf).filter((file) => !existsSync(new URL(file, PUBLIC)));
    expect(missing, 'run `make art`').toEqual([]);
  });

  it('is painted from its current sources', () => {
    expect(committedDigests(), 'run `make art`').toEqual(digestsOf(all));
  });

  it('has a tile of 360 by 480 and 7 to 13 KB for every game, each unlike the others', () => {
    const tiles = games.map((game) => bytes(`art/tiles/${game.gameId}.webp`));
    expect(tiles.filter((each) => each.length < 7_000 || each.length > 13_000)).toEqual([]);
    expect(new Set(tiles.map((each) => webpSize(each).join('x')))).toEqual(new Set(['360x480']));
    expect(new Set(tiles.map(digest)).size).toBe(games.length);
  });

  it('has a small tile of 240 by 320 and 3 to 8 KB for every game', () => {
    const tiles = games.map((game) => bytes(`art/tiles/${game.gameId}.small.webp`));
    expect(tiles.filter((each) => each.length < 3_000 || each.length > 8_000)).toEqual([]);
    expect(new Set(tiles.map((each) => webpSize(each).join('x')))).toEqual(new Set(['240x320']));
    expect(new Set(tiles.map(digest)).size).toBe(games.length);
  });

  it('keeps banners light enough for the first screen', () => {
    const limit = (file: string) => (file.endsWith('.small.webp') ? 27_000 : 44_000);
    const heavy = all
      .flatMap(filesOf)
      .filter((file) => file.includes('banners/') && bytes(file).length > limit(file));
    expect(heavy).toEqual([]);
  });
});
