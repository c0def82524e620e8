import { expect, test } from 'vitest';

import { similarGames, searchWords } from './similar-games.ts';

const names = [
  'Rồng Mây',
  'Kho Báu Rồng',
  'Robot Đại Chiến',
  'Cá Mập Nổi Giận',
  'Cao Bồi Miền Tây',
  'Cá Vàng',
  'Mặt Trăng',
  'The Golden Dragon',
  'Golden Bay',
  'The Lost City',
  'Dragon Hall',
  'سنہری اژدہا',
];

const similar = (typed: string) =>
  similarGames(
    names.map((name) => ({ name })),
    typed,
  ).map(({ name }) => name);

test.each([
  ['rồng xanh 88', ['Rồng Mây', 'Kho Báu Rồng']],
  ['rồgn', ['Rồng Mây', 'Kho Báu Rồng']],
  ['ca map trang', ['Cá Mập Nổi Giận', 'Mặt Trăng']],
  ['the golden dragn', ['The Golden Dragon']],
  ['dragan', ['The Golden Dragon', 'Dragon Hall']],
  ['اژدہ سنہری 7', ['سنہری اژدہا']],
  ['rocket', []],
  ['zzz', []],
  ['!', []],
])('similar to “%s”: %j', (typed, found) => {
  expect(similar(typed)).toEqual(found);
});

test('the search uses the longest words, each once', () => {
  expect(searchWords('a Rồng xanh rong 88 vàng ký')).toEqual(['rong', 'xanh', 'vang']);
});
