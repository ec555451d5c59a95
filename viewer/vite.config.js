/* SPDX-License-Identifier: Apache-2.0 */
// Bundles viewer.html, its modules and its styles into ONE file, dist/viewer.html, that asks the
// network for nothing. The licences of what is bundled go into a comment at its top.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const placeholder = '<script id="appell-data" type="application/json">APPELL_DATA</script>';

const licences = () =>
  ['three', 'uplot'].map((name) => {
    const text = readFileSync(new URL(`node_modules/${name}/LICENSE`, import.meta.url), 'utf8');
    return `${name}\n\n${text.trim()}`.replaceAll('--', '- -');
  });

// Put every script and style where the page asked for it, and drop the separate files.
function inline() {
  return {
    name: 'appell-inline',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['viewer.html'];
      let html = page.source;
      for (const [file, part] of Object.entries(bundle)) {
        if (part === page) continue;
        const name = file.replaceAll('.', '\\.');
        // code is put in by functions: `$` in it means nothing
        if (part.type === 'chunk') {
          const code = part.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
          html = html.replace(new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`), '');
          html = html.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
        } else {
          const link = new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`);
          html = html.replace(link, () => `<style>${part.source}</style>`);
        }
        delete bundle[file];
      }
      html = html.replace('<head>', () => `<head>\n<!--\nThis page contains\n\n${licences().join('\n\n')}\n-->`);
      if (html.split('APPELL_DATA').length !== 2 || !html.includes(placeholder)) {
        this.error('the placeholder of the data must be in the page exactly once');
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  plugins: [inline()],
  build: {
    target: 'es2020',
    modulePreload: false,
    assetsInlineLimit: 1e6,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 1200,
    rollupOptions: { input: 'viewer.html', output: { inlineDynamicImports: true } },
  },
});
