// Makes index.html paint without other files: inlines the styles of the entry, and inserts the file names of the app's chunks for the
// inline script, which loads them.
import type { Plugin, Rollup } from 'vite';

import { pages } from '../pages.ts';
import { insertFirstLoad } from '../src/app/first-load.ts';
import { languages } from '../src/i18n/languages.ts';

const placeholder = '/* first files */ {}';

/** The chunks that the inline script loads, by name. */
const firstChunks: Record<string, RegExp> = {
  ...Object.fromEntries(
    languages.map((language) => [
      language,
      new RegExp(`locales[\\\\/]home[\\\\/]${language}\\.po$`),
    ]),
  ),
  lazy: /app[\\/]lazy-screens\.ts$/,
};

/** Components that must open offline: balance, menu and dialogs. */
const popups = [
  /app[\\/]HeaderBalance\.tsx$/,
  /ui[\\/]SheetView\.tsx$/,
  /app[\\/]SideMenu\.tsx$/,
  /app[\\/]LogoutQuestion\.tsx$/,
  /app[\\/]GuestQuestion\.tsx$/,
];
const messages = [
  /i18n[\\/]catalogues\.ts$/,
  ...['shared', 'login'].flatMap((catalogue) =>
    languages.map((name) => new RegExp(`locales[\\\\/]${catalogue}[\\\\/]${name}\\.po$`)),
  ),
];
/** A page of an older release needs this to offer the new one. */
const updateCode = /app[\\/]pwa\.ts$/;
const offlineChunks = [
  ...popups,
  ...messages,
  updateCode,
  /login[\\/]LoginScreen\.tsx$/,
  /app[\\/]NotOpenScreen\.tsx$/,
];

export type HtmlShell = Plugin & {
  /** The files that the app needs offline, filled by the build. */
  files: ReadonlySet<string>;
};

export function htmlShell(): HtmlShell {
  const files = new Set(['index.html']);
  let base = '/';
  return {
    name: 'html-shell',
    files,
    configResolved(config) {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler(source, { bundle, chunk, path }) {
        // The development server serves the other pages too.
        if (!bundle && pages.some(({ name }) => path === `/${name}/index.html`)) return source;
        const html = insertFirstLoad(source);
        if (!bundle || !chunk) return html;
        const entry = filesOf(chunk, bundle);
        const later = Object.entries(firstChunks).map(([name, module]) => {
          const needed = filesOf(chunkOf(module, bundle), bundle);
          return [name, needed.filter((file) => !entry.includes(file))] as const;
        });
        for (const file of [...entry, ...later.flatMap(([, needed]) => needed)]) files.add(file);
        for (const module of offlineChunks) {
          for (const file of filesOf(chunkOf(module, bundle), bundle)) files.add(file);
        }
        if (!html.includes(placeholder))
          throw new Error(`html-shell: index.html does not contain ${placeholder}`);
        // Vite removes an entry that only imports other files.
        const isRemoved = /^(?:\s*import[^;]*;)*\s*$/.test(chunk.code);
        const app = entry.filter(
          (file) => file.endsWith('.js') && !(isRemoved && file === chunk.fileName),
        );
        const names = [['app', app] as const, ...later].map(
          ([name, needed]) => [name, needed.map((file) => base + file)] as const,
        );
        return withoutScripts(inlineStyles(html, bundle, base)).replace(
          placeholder,
          JSON.stringify(Object.fromEntries(names)),
        );
      },
    },
  };
}

function chunkOf(module: RegExp, bundle: Rollup.OutputBundle): Rollup.OutputChunk {
  for (const file of Object.values(bundle)) {
    if (file.type === 'chunk' && file.moduleIds.some((id) => module.test(id))) return file;
  }
  throw new Error(`html-shell: no chunk for ${module}`);
}

/** Returns a chunk's file after its imports, with their styles. */
function filesOf(chunk: Rollup.OutputChunk, bundle: Rollup.OutputBundle): string[] {
  const found = new Set<string>();
  const seen = new Set<Rollup.OutputChunk>();
  const add = (file: Rollup.OutputChunk) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const name of file.imports) {
      const needed = bundle[name];
      if (needed?.type === 'chunk') add(needed);
    }
    found.add(file.fileName);
    for (const style of file.viteMetadata?.importedCss ?? []) found.add(style);
  };
  add(chunk);
  return [...found];
}

/** Removes the script elements, because the inline script loads the entry. */
function withoutScripts(html: string): string {
  return html.replace(
    /\s*<(?:script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>/g,
    '',
  );
}

function inlineStyles(html: string, bundle: Rollup.OutputBundle, base: string): string {
  return html.replace(/<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/g, (link, href: string) => {
    const file = bundle[href.slice(base.length)];
    if (file?.type !== 'asset') return link;
    // Vite's loader checks for this link and would otherwise load the file again, after styles that override it. `disabled` prevents the
    // request, and the media query stops preload scanners that ignore `disabled`.
    const disabledLink = `<link rel="stylesheet" href="${href}" disabled media="not all">`;
    return `<style>${String(file.source).trim()}</style>${disabledLink}`;
  });
}
