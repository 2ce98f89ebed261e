import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const OUT = process.env.PAGES_OUT ?? join(import.meta.dirname, '../src/croupier/web/pages')
const HOUSE = process.env.CROUPIER ?? 'http://127.0.0.1:8000'

/** Lays `.gz` and `.br` beside every text file, so that the server compresses nothing. */
function compressed() {
  return {
    name: 'compressed',
    apply: 'build' as const,
    closeBundle() {
      for (const name of readdirSync(OUT, { recursive: true }) as string[]) {
        const path = join(OUT, name)
        if (!/\.(js|css|html|svg|json)$/.test(name) || statSync(path).size < 1024) continue
        const bytes = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
        writeFileSync(`${path}.br`, brotliCompressSync(bytes))
      }
    },
  }
}

/** The licence of the Tamil font, which must be shipped with the font. */
function fontLicence() {
  return {
    name: 'font-licence',
    generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): void }) {
      const path = join(import.meta.dirname, 'node_modules/@fontsource-variable/noto-sans-tamil/LICENSE')
      this.emitFile({
        type: 'asset',
        fileName: 'assets/noto-sans-tamil-licence.txt',
        source: readFileSync(path, 'utf8'),
      })
    },
  }
}

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), fontLicence(), compressed()],
  // Tests run the same Svelte as a browser does.
  resolve: mode === 'test' ? { conditions: ['browser'] } : undefined,
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    // The house allows no `data:` images and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // A seat in a few files: each of some seventy small ones cost a request.
        codeSplitting: {
          groups: [
            { name: 'shared', priority: 1, test: /src\/shared\/(felt|frame|house|wheel|words)\/|node_modules/ },
            { name: 'terminal', test: /src\/screens\/terminal\// },
            { name: 'staff', test: /src\/shared\/staff\// },
          ],
        },
      },
    },
  },
  // The house takes orders from its own pages alone.
  server: {
    proxy: { '/api': { target: HOUSE, ws: true, changeOrigin: true, headers: { origin: HOUSE } } },
  },
  test: { include: ['src/**/*.test.ts'], setupFiles: ['src/shared/words/testSetup.ts'] },
}))
