// Makes index.html paint without waiting for another file: the entry's styles stand in the page itself,
// and its first script learns the names of the app's files, to load them when their time has come, and what it must know as
// the app does.
import type { Plugin, Rollup } from 'vite';

import { writeFirstLoad } from '../src/app/first-load.ts';
import { languages } from '../src/i18n/languages.ts';

const mark = '/* first files */ {}';

/** Chunks that are asked for first, by the name they have in the page's script. */
const first: Record<string, RegExp> = {
  ...Object.fromEntries(
    languages.map((language) => [
      language,
      new RegExp(`locales[\\\\/]home[\\\\/]${language}\\.po$`),
    ]),
  ),
  lazy: /app[\\/]lazy-screens\.ts$/,
};

/** Parts that must open without a network too: the balance, the menu, questions and the way in. */
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
/** A page of the release before still finds the code that offers the new one. */
const installing = /app[\\/]pwa\.ts$/;
const kept = [
  ...popups,
  ...messages,
  installing,
  /login[\\/]LoginScreen\.tsx$/,
  /app[\\/]NotOpenScreen\.tsx$/,
];

export type HtmlShell = Plugin & {
  /** All files that the first screen and what opens over it need, known once the page is made. */
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
      handler(source, { bundle, chunk }) {
        const html = writeFirstLoad(source);
        if (!bundle || !chunk) return html;
        const entry = filesOf(chunk, bundle);
        const later = Object.entries(first).map(([name, module]) => {
          const needed = filesOf(chunkOf(module, bundle), bundle);
          return [name, needed.filter((file) => !entry.includes(file))] as const;
        });
        for (const file of [...entry, ...later.flatMap(([, needed]) => needed)]) files.add(file);
        for (const module of kept) {
          for (const file of filesOf(chunkOf(module, bundle), bundle)) files.add(file);
        }
        if (!html.includes(mark)) throw new Error('html-shell: index.html has lost its mark');
        const app = entry.filter((file) => file.endsWith('.js'));
        const names = [['app', app] as const, ...later].map(
          ([name, needed]) => [name, needed.map((file) => base + file)] as const,
        );
        return withoutScripts(inlineStyles(html, bundle, base)).replace(
          mark,
          JSON.stringify(Object.fromEntries(names)),
        );
      },
    },
  };
}

function chunkOf(module: RegExp, bundle: Rollup.OutputBundle): Rollup.OutputChunk {
  for (const file of Object.values(bundle)) {
    if (file.type === 'chunk' && file.facadeModuleId && module.test(file.facadeModuleId))
      return file;
  }
  throw new Error(`html-shell: no chunk for ${module}`);
}

/** A chunk's file after those it cannot run without, and their styles. */
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

/** The page's first script loads the entry itself. */
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
    // The switched-off link is not fetched, and the medium that is none keeps browsers that look ahead from it, which
    // do not read that it is off. It tells the code that loads parts later that this file is here already; fetched
    // again, it would come after styles that are meant to overrule it.
    const known = `<link rel="stylesheet" href="${href}" disabled media="not all">`;
    return `<style>${String(file.source).trim()}</style>${known}`;
  });
}
