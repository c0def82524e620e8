// The page for scripts of others: one file, its own script within it. It may run without an origin, and then could not
// load anything that is not meant for other sites.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { build, type Plugin } from 'vite';

const folder = join(import.meta.dirname, '../src/lib/widget');
const mark = '<!-- the script -->';

export function widgetFrame(): Plugin {
  return {
    name: 'widget-frame',
    apply: 'build',
    async generateBundle() {
      const page = await readFile(join(folder, 'frame.html'), 'utf8');
      if (!page.includes(mark)) throw new Error('widget-frame: frame.html has lost its mark');
      const script = `<script>${await scriptOf(join(folder, 'frame.ts'))}</script>`;
      this.emitFile({
        type: 'asset',
        fileName: 'frame/widget.html',
        source: page.replace(mark, () => script),
      });
    },
  };
}

async function scriptOf(entry: string): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: ['chrome120', 'safari16.4', 'firefox128'],
      lib: { entry, formats: ['iife'], name: 'widgetFrame' },
    },
  });
  const [first] = Array.isArray(made) ? made : [made];
  if (!first || !('output' in first)) throw new Error('widget-frame: nothing was built');
  return first.output[0].code.trim();
}
