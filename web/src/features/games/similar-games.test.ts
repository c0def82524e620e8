import { expect, test } from 'vitest';

import { similarGames, tellingWords } from './similar-games.ts';

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

const near = (typed: string) =>
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
])('close to “%s”: %j', (typed, found) => {
  expect(near(typed)).toEqual(found);
});

test('the longest words are asked for, each once', () => {
  expect(tellingWords('a Rồng xanh rong 88 vàng ký')).toEqual(['rong', 'xanh', 'vang']);
});
