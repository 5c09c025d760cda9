import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A file of JSON lines, one for each case. A line that was cut off is none. */
export async function readResults<Line>(path: string): Promise<readonly Line[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line): Line[] => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
}

export async function addResult(path: string, line: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const before = await readFile(path, 'utf8').catch(() => '')
  const open = before === '' || before.endsWith('\n') ? '' : '\n'
  await appendFile(path, `${open}${JSON.stringify(line)}\n`)
}
