// The sizes that a banner is painted in. The art's painter, the page's first script and the app read the same.

export const bannerFolder = '/m/art/banners/';

/** Enough for a phone of two pixels to each of the page's. */
export const smallBannerWidth = 720;

/** The small one stands beside the other. */
export const smallBanner = (file: string): string => file.replace(/webp$/, 'small.webp');

/** What a browser may choose from; the star stands for the file's name without its ending. */
export const bannerChoice = `*.small.webp ${smallBannerWidth}w, *.webp 1080w`;

/** How wide a banner is, as the browser is told before anything is laid out. */
export const bannerSizes = 'min(100vw - 32px, 448px)';

/** The sizes of a picture. One that somebody else serves is there in one. */
export const bannerSet = (image: string): string | undefined =>
  image.startsWith(bannerFolder)
    ? bannerChoice.replaceAll('*', image.replace(/\.webp$/, ''))
    : undefined;
