import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

/** Modules that we load by name; the bundle has copies next to it. */
export const wasmFiles = {
  treeSitter: 'web-tree-sitter/web-tree-sitter.wasm',
  c: '@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm',
  cpp: '@repomix/tree-sitter-wasms/out/tree-sitter-cpp.wasm',
  csharp: '@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm',
  go: '@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm',
  java: '@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm',
  kotlin: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  php: '@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm',
  rust: '@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm',
  swift: '@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm',
  gofmt: '@wasm-fmt/gofmt/gofmt.wasm',
  shell: 'sh-syntax/main.wasm',
} as const

/** Modules that their own packages load from their own folder. */
export const wasmFilesOfPackages = [
  '@astral-sh/ruff-wasm-nodejs/ruff_wasm_bg.wasm',
  '@ruby/prism/src/prism.wasm',
  'libpg-query/wasm/libpg-query.wasm',
] as const

/** Renames a module whose name says nothing (`main.wasm`). */
export const nameBeside = (file: string): string =>
  file.startsWith('sh-syntax/') ? 'sh-syntax.wasm' : basename(file)

/** The path of a module: in its package when run from source, otherwise next to the bundle. */
export function wasmPath(name: keyof typeof wasmFiles): string {
  const file = wasmFiles[name]
  return import.meta.url.endsWith('.ts')
    ? createRequire(import.meta.url).resolve(file)
    : join(import.meta.dirname, nameBeside(file))
}

/** The part of the WebAssembly interface that we use; Node's types lack it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

export const compile = (name: keyof typeof wasmFiles): object =>
  new WebAssembly.Module(readFileSync(wasmPath(name)))

export const instantiate = (module: object, imports: object = {}): { readonly exports: object } =>
  new WebAssembly.Instance(module, imports)
