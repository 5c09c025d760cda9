import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOfDisk } from '../explain-disk.ts'
import { type DoctorCheck, fail, ok } from './check.ts'

const name = 'writing'

/** Writes a file into each of these folders and removes it, with the folders that it created. */
export async function checkWriting(
  folders: readonly { readonly what: string; readonly path: string }[],
): Promise<readonly DoctorCheck[]> {
  const failed: DoctorCheck[] = []
  for (const { what, path } of folders) {
    const problem = await tryWriting(path)
    if (problem === null) continue
    const next = `Allow writing in ${path} (ls -ld shows who may), or make room on its disk.`
    failed.push(fail(name, `${what} cannot be written: ${path}: ${problem}`, next))
  }
  if (failed.length > 0) return failed
  return [ok(name, folders.map(({ what }) => what).join(', '))]
}

/** Returns why a write fails, or `null`. */
async function tryWriting(path: string): Promise<string | null> {
  const file = join(path, `doctor-${randomUUID()}`)
  try {
    const made = await mkdir(path, { recursive: true, mode: 0o700 })
    await writeFile(file, 'executor doctor\n', { flag: 'wx' })
    await rm(made ?? file, { recursive: true })
    return null
  } catch (error) {
    return reasonOfDisk(error)
  }
}
