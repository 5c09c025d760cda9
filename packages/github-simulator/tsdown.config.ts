import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig } from 'tsdown'

/** Builds one module for each of `exports`, with types; dependencies stay external. */
export default defineConfig({
  entry: ['github.ts', 'model.ts', 'demo.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node22',
  fixedExtension: true,
  dts: true,
  clean: true,
  hooks: {
    'build:done': ({ options }) =>
      // Read at run time from the folder of the module that uses it.
      copyFile(
        join(import.meta.dirname, 'github/contract.json'),
        join(options.outDir, 'contract.json'),
      ),
  },
})
