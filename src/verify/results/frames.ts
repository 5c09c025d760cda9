import { inProject, type RunPlace, sourceEnding } from './place.ts'

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

export const toTrace = (frames: readonly Frame[]): readonly string[] => [
  ...new Set(frames.map(({ file, line }) => `${file}:${line}`)),
]
