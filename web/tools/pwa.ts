// The installable app: its manifest, and a service worker that keeps the shell and nothing else. Answers of
// the API are never kept: a balance or a limit must not come from yesterday.
import type { PluginOption } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

import type { HtmlShell } from './html-shell.ts';

/** What is kept besides the shell's own files: the letters it is written in and the pictures it is drawn with. */
const drawn =
  /^assets\/(?:.*(?:latin|vietnamese)-(?:400|700)-.*\.woff2|[^/]+\.(?:svg|webp))$|^art\//;

/** The pictures of home's categories and shortcuts. */
export const homeIcons =
  'fire star slot fish live cards lottery bolt ball gamepad diamond headset money-wings bank gift'.split(
    ' ',
  );

/** Keeps the files of the shell; other parts are fetched when asked for, and say so when offline. */
export function pwa(shell: HtmlShell): PluginOption {
  return VitePWA({
    strategies: 'generateSW',
    registerType: 'prompt',
    // The app registers the worker itself: its address has to be vouched for (Trusted Types).
    injectRegister: false,
    manifest: {
      id: '/m/',
      name: 'Fairground',
      short_name: 'Fairground',
      description: 'Xổ số, nổ hũ, bắn cá, live casino, game bài, thể thao và e-sports.',
      lang: 'vi',
      dir: 'ltr',
      start_url: '/m/home',
      scope: '/m/',
      display: 'standalone',
      orientation: 'portrait',
      background_color: '#0a0d18',
      theme_color: '#0a0d18',
      categories: ['games', 'entertainment'],
      icons: [
        { src: 'icons/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: 'icons/icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: 'icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    },
    includeManifestIcons: false,
    workbox: {
      globPatterns: [
        'index.html',
        'assets/*.{js,css,svg,woff2,webp}',
        `art/icons/{${homeIcons.join(',')}}.webp`,
        'art/{spots/soon,tiles/default}.webp',
      ],
      manifestTransforms: [
        (entries) => ({
          manifest: entries.filter(({ url }) => shell.files.has(url) || drawn.test(url)),
          warnings: [],
        }),
      ],
      navigateFallback: '/m/index.html',
      navigateFallbackAllowlist: [/^\/m(?:\/|$)/],
      // Framed games and generated files are pages and files of their own.
      navigateFallbackDenylist: [
        /^\/m\/(?:notices\.txt$|(?:art|icons|assets|frame|lotto-h5|house)\/)/,
      ],
      cleanupOutdatedCaches: true,
      // The page of the first visit, too, finds its parts when the network goes.
      clientsClaim: true,
      // One file: a worker under Trusted Types may not pull in another script.
      inlineWorkboxRuntime: true,
      sourcemap: false,
    },
  });
}
