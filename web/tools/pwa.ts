// The web app manifest and the service worker, which caches the shell only. It never caches API responses, because a balance or a limit
// must be current.
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Plugin, PluginOption } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

import { pages } from '../pages.ts';
import type { HtmlShell } from './html-shell.ts';

const base = '/m/';

/** Folders with generated files and separate pages. */
const otherFolders = [
  'art',
  'icons',
  'assets',
  'frame',
  ...pages.filter((page) => page.path.startsWith(base)).map((page) => page.path.slice(base.length)),
];

/** The fonts and pictures of the shell. */
const shellAssets = /^assets\/(?:be-vietnam-pro-[^/]+\.woff2|[^/]+\.(?:svg|webp))$|^art\//;

/** The pictures of home's categories and shortcuts. */
export const homeIcons =
  'fire star slot fish live cards lottery bolt ball gamepad diamond headset money-wings bank gift'.split(
    ' ',
  );

/** Appends the handlers of push messages to the generated worker, which cannot import a second script. */
function pushHandlers(): Plugin {
  let folder = '';
  return {
    name: 'push-handlers',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = path.resolve(root, build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: async () => {
        const source = await readFile(new URL('push-worker.js', import.meta.url), 'utf8');
        await appendFile(path.join(folder, 'sw.js'), `\n${source}`);
      },
    },
  };
}

/** Caches the files of the shell. Other chunks load on demand. */
export function pwa(shell: HtmlShell): PluginOption {
  return [worker(shell), pushHandlers()];
}

function worker(shell: HtmlShell): PluginOption {
  return VitePWA({
    strategies: 'generateSW',
    registerType: 'prompt',
    // The app registers the worker itself, because Trusted Types require a policy for its address.
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
          manifest: entries.filter(({ url }) => shell.files.has(url) || shellAssets.test(url)),
          warnings: [],
        }),
      ],
      navigateFallback: '/m/index.html',
      navigateFallbackAllowlist: [/^\/m(?:\/|$)/],
      navigateFallbackDenylist: [
        new RegExp(`^${base}(?:notices\\.txt$|(?:${otherFolders.join('|')})/)`),
      ],
      cleanupOutdatedCaches: true,
      // The worker also serves the page of the first visit.
      clientsClaim: true,
      // Under Trusted Types a worker cannot import a second script.
      inlineWorkboxRuntime: true,
      sourcemap: false,
    },
  });
}
