import type { TestFailure } from '../../core/domain/test-report.ts'
import { framesIn, toTrace } from './frames.ts'
import type { RunPlace } from './place.ts'
import { toFailure } from './results.ts'

/** What an interpreter says when a program ends by an error that nobody caught. */
interface Crash {
  readonly errorType: string
  readonly message: string
}

const readers: readonly ((line: string) => Crash | null)[] = [
  // PHP: `PHP Fatal error:  Uncaught ParseError: Unclosed '{' on line 1 in /a/b.php:2`
  (line) => {
    const [, kind, said] =
      /^(?:PHP )?(Parse|Fatal) error: {1,2}(?:Uncaught )?(\S.{0,900})/.exec(line) ?? []
    if (kind === undefined || said === undefined) return null
    const message = said.replace(/ in \/\S+?(?::\d+| on line \d+)$/, '')
    const [, errorType = kind === 'Parse' ? 'ParseError' : 'Error'] =
      /^(\w+(?:\\\w+)*): /.exec(message) ?? []
    return { errorType, message: message.replace(/^[\w\\]+: /, '') }
  },
  // Ruby: `b.rb:1:in 'require': cannot load such file -- x (LoadError)`, `b.rb:1: syntax error, …`
  (line) => {
    const [, message, errorType] =
      /:\d{1,7}:in [`'][^`']{0,200}': (.{1,900}?) \(([A-Z]\w*(?:::\w+)*)\)$/.exec(line) ?? []
    return message === undefined || errorType === undefined ? null : { errorType, message }
  },
  (line) => {
    const message = /\.rb:\d{1,7}: (syntax errors? .{1,900}?)(?: \(SyntaxError\))?$/.exec(line)?.[1]
    return message === undefined ? null : { errorType: 'SyntaxError', message }
  },
  // Python and Node: `ModuleNotFoundError: No module named 'x'`, `Error: Cannot find module './x'`
  (line) => {
    const [, name, code, message] =
      /^(?:\s?Exception during run: |Uncaught )?((?:[A-Z]\w{0,60})?(?:Error|Exception|Exit))(?: \[(\w+)\])?: (.{1,900})$/.exec(
        line,
      ) ??
      /^()?()?(?:error: )(Cannot find (?:module|package) '.{1,900})$/.exec(line) ??
      []
    if (message === undefined) return null
    const isMissing = /^Cannot find (?:module|package) /.test(message)
    const plain = name === undefined || name === '' || name === 'Error'
    return {
      errorType: code ?? (plain && isMissing ? 'MODULE_NOT_FOUND' : name || 'Error'),
      message,
    }
  },
]

/** Lines around the error in which its place is looked for. */
const reach = 14
const longestLine = 1000
/** Of more, most would be the same or of nobody's interest. */
const mostCrashes = 1000

/**
 * Errors that ended a program of the project, of what a runner printed instead of results. Only
 * those whose place is in the project.
 */
export function readCrashes(text: string, place: RunPlace): readonly TestFailure[] {
  const found = new Map<string, TestFailure>()
  const lines = text.split('\n')
  let seen = 0
  for (const [index, line] of lines.entries()) {
    if (seen >= mostCrashes) break
    const crash = line.length > longestLine ? null : readLine(line)
    if (crash === null) continue
    seen += 1
    // Python tells the place before the error, the others in it or after it.
    const below = lines.slice(index, index + reach)
    // Frames count only from the stack: a tool also names the file it was reading.
    const stack = below.filter((each) => /^\s+at /.test(each))
    const after = framesIn((stack.length > 0 ? stack : below).join('\n'), place)
    const before = framesIn(lines.slice(Math.max(0, index - reach), index).join('\n'), place)
    const frames =
      /^\s+File "/.test(lines[index - 2] ?? '') || after.length === 0 ? before.toReversed() : after
    const [own] = frames
    if (own === undefined) continue
    const key = `${own.file} ${crash.message}`
    if (found.has(key)) continue
    const said = { ...crash, test: own.file, ...own, trace: toTrace(frames) }
    found.set(key, toFailure(said, place))
  }
  return [...found.values()]
}

function readLine(line: string): Crash | null {
  for (const read of readers) {
    const crash = read(line)
    if (crash !== null) return crash
  }
  return null
}
