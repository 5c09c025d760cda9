import { copyFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buildDoor } from '../build-door.ts'
import { nameBeside, wasmFiles } from './wasm-syntax/files.ts'

const require = createRequire(import.meta.url)

// The checker starts its child as a program of its own, which finds the grammars beside it.
export default buildDoor(['source.ts', 'wasm-syntax-child.ts'], async (folder) => {
  for (const file of Object.values(wasmFiles)) {
    await copyFile(require.resolve(file), join(folder, nameBeside(file)))
  }
})
