import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildDoor } from '../build-door.ts'

// Read at run time from the folder of the module that uses it.
const contract = join(import.meta.dirname, 'github/contract.json')

/** Builds one module for each of `exports`. */
export default buildDoor(['github.ts', 'model.ts', 'demo.ts'], (folder) =>
  copyFile(contract, join(folder, 'contract.json')),
)
