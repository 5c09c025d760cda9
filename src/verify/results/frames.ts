import { posix } from 'node:path'

/** `path:line`, in the project; `path` is relative to its folder. */
export interface Frame {
  readonly file: string
  readonly line: number
}

/** Of JavaScript (`at f (file:///a/b.js:3:1)`, `❯ b.ts:3:1`) and pytest (`b.py:3: Error`). */
const colonFrame =
  /(?<![^\s():'"<>])((?:file:\/\/)?[^\s():'"<>]+\.[A-Za-z]{1,4}):(\d{1,7})(?::\d{1,7})?(?![\w.])/

/** Of Python: `File "/a/b.py", line 3`. */
const pythonFrame = /File "([^"]+)", line (\d{1,7})/

const longestLine = 1000

/** The path inside the folder, or `null` for one that is elsewhere or in installed packages. */
export function inProject(path: string, folder: string): string | null {
  const plain = path.startsWith('file://') ? path.slice('file://'.length) : path
  if (plain.includes('node_modules/') || plain.startsWith('node:')) return null
  if (!plain.startsWith('/')) {
    const relative = posix.normalize(plain)
    return relative.startsWith('..') ? null : relative
  }
  return plain.startsWith(`${folder}/`) ? posix.normalize(plain.slice(folder.length + 1)) : null
}

/** Frames inside the project, in the order of the text. */
export function framesIn(text: string, folder: string): readonly Frame[] {
  return text.split('\n').flatMap((line) => {
    if (line.length > longestLine) return []
    const [, path = '', number = ''] = pythonFrame.exec(line) ?? colonFrame.exec(line) ?? []
    const file = path === '' ? null : inProject(path, folder)
    return file === null ? [] : [{ file, line: Number(number) }]
  })
}

export const toTrace = (frames: readonly Frame[]): readonly string[] => [
  ...new Set(frames.map(({ file, line }) => `${file}:${line}`)),
]
