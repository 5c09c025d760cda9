import { posix } from 'node:path'
import { isInstalled } from '../detect/project-roots.ts'

/** Where a command ran, so that the paths it names can be told in the project's terms. */
export interface RunPlace {
  /** Absolute path of the project's root. */
  readonly folder: string
  /** Inside it, `.` for the root: where relative paths of the output start. */
  readonly directory: string
  /** Paths of the project, for runners that name a file by its end only (Java, Go). */
  readonly sources: readonly string[]
}

/** The path inside the project, or `null` for one that is elsewhere or in installed packages. */
export function inProject(path: string, { folder, directory }: RunPlace): string | null {
  const plain = path.startsWith('file://') ? path.slice('file://'.length) : path
  if (plain.startsWith('node:')) return null
  const relative = plain.startsWith('/')
    ? plain.startsWith(`${folder}/`) && posix.normalize(plain.slice(folder.length + 1))
    : posix.join(directory, plain)
  if (relative === false || relative.startsWith('..')) return null
  return isInstalled(relative) ? null : relative
}

const indexes = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>()

/** Paths of the project whose last part is this name. */
export function namesakes(name: string, { sources }: RunPlace): readonly string[] {
  const known = indexes.get(sources) ?? Map.groupBy(sources, (path) => posix.basename(path))
  indexes.set(sources, known)
  return known.get(name) ?? []
}

/**
 * The path of the project that ends with this (`com/acme/Sum.java`); of several, the first inside
 * the directory where the command ran.
 */
export function sourceEnding(end: string, place: RunPlace): string | null {
  const found = namesakes(posix.basename(end), place).filter(
    (path) => path === end || path.endsWith(`/${end}`),
  )
  const { directory } = place
  const own = found.find((path) => directory === '.' || path.startsWith(`${directory}/`))
  return own ?? found[0] ?? null
}

/** `path:line`, in the project; `path` is relative to its root. */
export interface Frame {
  readonly file: string
  readonly line: number
}

/** Of JavaScript (`at f (file:///a/b.js:3:1)`, `❯ b.ts:3:1`), pytest, Ruby, Go, PHP and .NET. */
const colonFrame =
  /(?<![^\s():'"<>[])((?:file:\/\/)?[^\s():'"<>[\]]+\.[A-Za-z]{1,6}):(?:line )?(\d{1,7})(?::\d{1,7})?(?![\w.])/

/** Of Python: `File "/a/b.py", line 3`. */
const pythonFrame = /File "([^"]+)", line (\d{1,7})/

/** Of PHP: `in /a/b.php on line 3`, `#0 /a/b.php(3): f()`. */
const phpFrame = /(?: in |^#\d{1,4} )(\/[^\s():'"]+\.php)(?: on line |\()(\d{1,7})\b/

/** Of Java and its kin: `at com.acme.SumTest$Inner.adds(SumTest.java:6)`. */
const javaFrame =
  /^\s*at (?:[\w.@-]{0,80}\/{1,2})?((?:[\w$-]+\.)*)[\w$-]+\.[\w$<>-]+\(([\w-]+\.(?:java|kt|scala|groovy)):(\d{1,7})\)/

const longestLine = 1000

/** Frames inside the project, in the order of the text. */
export function framesIn(text: string, place: RunPlace): readonly Frame[] {
  return text.split('\n').flatMap((line) => {
    if (line.length > longestLine) return []
    const java = javaFrame.exec(line)
    if (java !== null) {
      const [, packages = '', name = '', number = ''] = java
      const file = sourceEnding(packages.replaceAll('.', '/') + name, place)
      return file === null ? [] : [{ file, line: Number(number) }]
    }
    const [, path = '', number = ''] =
      pythonFrame.exec(line) ?? phpFrame.exec(line) ?? colonFrame.exec(line) ?? []
    const file = path === '' ? null : inProject(path, place)
    return file === null ? [] : [{ file, line: Number(number) }]
  })
}

/** What a message says before the frames that follow it. */
export function beforeFrames(lines: readonly string[], stack = /^\s+at /): string {
  const end = lines.findIndex((line) => stack.test(line))
  return (end < 0 ? lines : lines.slice(0, end)).join('\n').trim()
}
