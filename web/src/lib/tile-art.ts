// The sizes that a game's tile is painted in. The art's painter and the app read the same.

const tileWidth = 360;

/** Enough for a phone of two pixels to each of the page's, and for small places on any. */
export const smallTileWidth = 240;

/** The small one stands beside the other. */
export const smallTile = (file: string): string => file.replace(/webp$/, 'small.webp');

/** What a browser may choose from. A picture that somebody else serves is there in one size, as is the default one. */
export const tileSet = (art: string): string | undefined =>
  art.startsWith('/m/art/tiles/') && !art.endsWith('/default.webp')
    ? `${smallTile(art)} ${smallTileWidth}w, ${art} ${tileWidth}w`
    : undefined;
