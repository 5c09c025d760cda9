import { copyFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { defineConfig } from 'tsdown'

const require = createRequire(import.meta.url)

/** Files that are read at run time, found beside the module that reads them. */
const besides = [
  require.resolve('@astral-sh/ruff-wasm-nodejs/ruff_wasm_bg.wasm'),
  join(import.meta.dirname, 'src/simulators/github/contract.json'),
]

/** What a user's machine runs: everything inside, split so that each command loads only its part. */
export default defineConfig({
  entry: {
    cli: 'src/entry/cli.ts',
    action: 'src/entry/action.ts',
    'wasm-syntax-child': 'src/adapters/wasm-syntax-child.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  fixedExtension: true,
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  // CommonJS packages inside an ES module.
  define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
  dts: false,
  minify: true,
  clean: true,
  hooks: {
    'build:done': async ({ options }) => {
      for (const file of besides) await copyFile(file, join(options.outDir, basename(file)))
    },
  },
})
