/** Every picture of the app, by the file it becomes below web/public. */
import { avatarPictures } from './avatar.ts';
import { bannerPictures } from './banner.ts';
import { brandPictures } from './brand.ts';
import type { Game, Vendor } from './catalogue.ts';
import { iconPictures } from './icon.ts';
import { livePictures } from './live.ts';
import { seedOf } from './random.ts';
import type { Picture } from './raster.ts';
import { tile } from './tile.ts';
import { vendorPictures } from './vendor.ts';

/** About 12 KB a tile: a screen of 21 stays near a quarter of a megabyte. */
const TILE_BUDGET = 13_500;

const defaultTile: Picture = {
  file: 'art/tiles/default.webp',
  budget: TILE_BUDGET,
  svg: tile({
    family: 'indigo',
    scene: 'rays',
    motif: '1f3aa',
    satellites: ['2b50', '1f388', '1fa99'],
    seed: seedOf('default'),
  }),
};

export function pictures(games: readonly Game[], vendors: readonly Vendor[]): Picture[] {
  return [
    ...games.map((game) => ({
      file: `art/tiles/${game.gameId}.webp`,
      svg: tile(game.art),
      budget: TILE_BUDGET,
    })),
    defaultTile,
    ...bannerPictures(),
    ...livePictures(),
    ...iconPictures(),
    ...avatarPictures(),
    ...vendorPictures(vendors),
    ...brandPictures(),
  ];
}
