import { readFileSync } from 'node:fs'
import { type wasmFiles, wasmPath } from './files.ts'

/** The little of WebAssembly's own interface that is used here; Node's types leave it out. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

declare const WebAssembly: Engine

export function compile(name: keyof typeof wasmFiles): object {
  return new WebAssembly.Module(readFileSync(wasmPath(name)))
}

export function instantiate(module: object, imports: object = {}): { readonly exports: object } {
  return new WebAssembly.Instance(module, imports)
}
