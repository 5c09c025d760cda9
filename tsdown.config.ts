import { existsSync } from 'node:fs'
import { chmod, copyFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defineConfig, type Rolldown } from 'tsdown'
import { nameBeside, wasmFiles, wasmFilesOfPackages } from './src/adapters/wasm-syntax/files.ts'

const require = createRequire(import.meta.url)

/** Files that are read at run time, found beside the module that reads them. */
const besides = [
  ...[...Object.values(wasmFiles), ...wasmFilesOfPackages].map((file) => ({
    from: require.resolve(file),
    name: nameBeside(file),
  })),
  {
    from: join(import.meta.dirname, 'packages/github-simulator/github/contract.json'),
    name: 'contract.json',
  },
  { from: join(import.meta.dirname, 'src/entry/executor.cjs'), name: 'executor.cjs' },
]

/**
 * Left in node_modules, where the App's image has them: an embedded database with its data, and what
 * neither the Action nor another command of the CLI ever loads.
 */
const ofTheAppOnly = [/^probot$/, /^pg-boss$/, /^@electric-sql\/pglite$/]

/** Its packages come twice; only the one of ES modules can be cut down to what is used, a fifth of it. */
const openTelemetryAsModules: Rolldown.Plugin = {
  name: 'opentelemetry-as-modules',
  resolveId: {
    filter: { id: /^@opentelemetry\// },
    async handler(source, importer) {
      const found = await this.resolve(source, importer, { skipSelf: true })
      const id = found?.id.replace('/build/src/', '/build/esm/')
      return id !== undefined && existsSync(id) ? { id } : found
    },
  },
}

/** What a user's machine runs: everything inside, split so that each command loads only its part. */
export default defineConfig({
  entry: {
    cli: 'src/entry/cli.ts',
    action: 'src/entry/action.ts',
    'wasm-syntax-child': 'src/adapters/wasm-syntax-child.ts',
    'sandbox-forwarder': 'src/adapters/sandbox-forwarder.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  fixedExtension: true,
  deps: { neverBundle: ofTheAppOnly, alwaysBundle: [/.*/], onlyBundle: false },
  // CommonJS packages inside an ES module.
  define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
  // The loader of the grammars has an `eval` for a feature that is not used.
  inputOptions: { checks: { eval: false } },
  plugins: [openTelemetryAsModules],
  // This package says that importing its Go runtime does nothing.
  treeshake: { moduleSideEffects: [{ test: /sh-syntax/, sideEffects: true }] },
  dts: false,
  minify: true,
  clean: true,
  hooks: {
    'build:done': async ({ options }) => {
      for (const { from, name } of besides) await copyFile(from, join(options.outDir, name))
      await chmod(join(options.outDir, 'executor.cjs'), 0o755)
    },
  },
})
