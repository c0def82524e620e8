/** Every picture of the app, by the file it becomes below web/public. */
import { smallTile, smallTileWidth } from '../src/lib/tile-art.ts';
import { avatarPictures } from './avatar.ts';
import { bannerPictures } from './banner.ts';
import { brandPictures } from './brand.ts';
import type { Game, Vendor } from './catalogue.ts';
import { iconPictures } from './icon.ts';
import { livePictures } from './live.ts';
import type { Picture } from './picture.ts';
import { seedOf } from './random.ts';
import { slotPictures } from './slot.ts';
import { tile } from './tile.ts';
import { vendorPictures } from './vendor.ts';

/** At most 12 KB a tile: a screen of 21 stays below a quarter of a megabyte. */
const TILE_BUDGET = 12_000;

/**
 * Small tiles serve screens with two device pixels per CSS pixel, where a tile in three columns is 206 to 242 pixels wide.
 */
const SMALL_BUDGET = 6_000;

const defaultTile = tile({
  family: 'indigo',
  scene: 'rays',
  motif: '1f3aa',
  satellites: ['2b50', '1f388', '1fa99'],
  seed: seedOf('default'),
});

const tilePicture = (name: string, drawn: string): Picture => ({
  file: `art/tiles/${name}.webp`,
  svg: drawn,
  budget: TILE_BUDGET,
});

function gamePicture({ gameId, art }: Game): Picture {
  const picture = tilePicture(gameId, tile(art));
  const small = { file: smallTile(picture.file), width: smallTileWidth, budget: SMALL_BUDGET };
  return { ...picture, small };
}

export function pictures(games: readonly Game[], vendors: readonly Vendor[]): Picture[] {
  return [
    ...games.map(gamePicture),
    // One size only: the service worker caches it for offline use.
    tilePicture('default', defaultTile),
    ...bannerPictures(),
    ...livePictures(),
    ...iconPictures(),
    ...avatarPictures(),
    ...vendorPictures(vendors),
    ...brandPictures(),
    ...slotPictures(),
  ];
}
