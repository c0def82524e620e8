// Builds the page for third-party scripts as one file with an inline script. The page may run without an origin and then cannot load
// other files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { build, type Plugin } from 'vite';

const folder = join(import.meta.dirname, '../src/lib/widget');
const placeholder = '<!-- the script -->';

export function widgetFrame(): Plugin {
  return {
    name: 'widget-frame',
    apply: 'build',
    async generateBundle() {
      const page = await readFile(join(folder, 'frame.html'), 'utf8');
      if (!page.includes(placeholder))
        throw new Error(`widget-frame: frame.html does not contain ${placeholder}`);
      const script = `<script>${await scriptOf(join(folder, 'frame.ts'))}</script>`;
      this.emitFile({
        type: 'asset',
        fileName: 'frame/widget.html',
        source: page.replace(placeholder, () => script),
      });
    },
  };
}

async function scriptOf(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: ['chrome120', 'safari16.4', 'firefox128'],
      lib: { entry, formats: ['iife'], name: 'widgetFrame' },
    },
  });
  const [first] = Array.isArray(result) ? result : [result];
  if (!first || !('output' in first)) throw new Error('widget-frame: the build has no output');
  return first.output[0].code.trim();
}
