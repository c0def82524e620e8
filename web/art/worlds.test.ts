import { expect, test } from 'vitest';

import served from '../../internal/game/house/round/games.json';
import { type Theme, themes } from '../house/slot/themes.ts';
import { readGames } from './catalogue.ts';

/**
 * Motifs that fit a theme in addition to the symbols on its reels: a tile must show what the game shows.
 */
const worlds: Record<keyof typeof themes, string> = {
  dragon: '🍑 🏯 🐇 🐎 🐲 👺 💰 🥷 🦊',
  fruit: '🃏 🌟 🍌 🍍 🍎 🍏 🍐 🍓 🎰 🥝 🥥 🥭',
  ocean: '🏝️ 🏴‍☠️ 🐙 🐧 🗺️ 🦑 🦞 🦦 🦭 🧜‍♀️ 🧭 ⚓ ⛵',
  egypt: '🌵 🏛️ 🐪 👸 💀 💍 🗝️ 🤴 🧞 🧟 🧿 ⛏️',
  jungle:
    '🌳 🌹 🌻 🍀 🍄 🏹 🐃 🐆 🐊 🐍 🐘 🐝 🐞 🐨 🐯 🐵 🐺 🐻 🐼 🕷️ 🦅 🦇 🦉 🦌 🦍 🦎 🦏 🦔 🦚 🦛 🦥 🦧 🧚 🧝',
  space: '🌍 🌒 🌕 🌚 🌠 👾 🔭 🔮 🕰️ 🤖 🧑‍🚀 ☄️ ⚡',
  tet: '🎆 🎍 🎏 🐀 🐂 🐈 🐐 🐓 🐕 🥁 🪁 🪔 🪭',
  sweets: '🌈 🍡 🍧 🍨 🍪 🍮 🍯 🍰 🍿 🎄 🎈 🎠 🎡 🎪 🥐 🥞 🥧 🥮 🦄 🧇 🧋 ⛄',
};

const code = (sign: string): string =>
  Array.from(sign, (point) => point.codePointAt(0)!.toString(16)).join('-');

const onReels = ({ symbols, hero, sides, flying }: Theme): string[] => [
  ...Object.values(symbols),
  hero,
  sides,
  flying,
];

const played: Record<string, { theme: string }> = {
  ...served.RNG.games,
  ...served.JL.games,
};
const games = readGames().filter(({ gameId }) => gameId in played);

test('GL-07 (titles) what a slot promises on its tile is of the world that it opens', () => {
  expect(games.length).toBe(Object.keys(played).length);
  const strange = games.filter(({ gameId, art }) => {
    const theme = played[gameId]!.theme as keyof typeof themes;
    const world = new Set([...onReels(themes[theme]), ...worlds[theme].split(' ').map(code)]);
    return !world.has(art.motif);
  });
  expect(strange.map(({ gameId, names, art }) => [gameId, names.en, art.motif])).toEqual([]);
});

test('a world holds nothing that its own reels show, or that no tile shows', () => {
  for (const [name, theme] of Object.entries(themes)) {
    const more = worlds[name as keyof typeof themes].split(' ').map(code);
    const shown = new Set(
      games.filter(({ gameId }) => played[gameId]!.theme === name).map(({ art }) => art.motif),
    );
    expect(more.filter((each) => onReels(theme).includes(each) || !shown.has(each))).toEqual([]);
  }
});
