/** Options that make a runner wait for changes: `--watch`, `--watchAll`, `--watch-path=src`. */
const watching =
  /\s--watch(?:-?all|-path[= ]\S+|-preserve-output)?(?:[= ]true)?(?![-\w=])(?!\s+false\b)/gi

/** Programs for which `-w` is one of them; elsewhere it may be a number of workers. */
const shortly = /(?:^|[\s/])(?:_?mocha|ava|vitest|tsc)(?=\s|$)/

/** Programs that wait unless told otherwise, and how to tell them. */
const waiting: readonly (readonly [starts: RegExp, unless: RegExp, flag: string])[] = [
  [/(?:^|[\s/])ng test\b/, /--(?:no-)?watch\b/, '--watch=false'],
  [/(?:^|[\s/])karma start\b/, /--(?:no-)?single-run\b/, '--single-run'],
]

/** A test command without what would make it wait for changes and never end; other commands as they are. */
export function runOnce(line: string): string {
  const [, , flag] =
    waiting.find(([starts, unless]) => starts.test(line) && !unless.test(line)) ?? []
  const plain = line
    .replace(watching, '')
    .replace(/((?:^|[\s/])vitest )(?:watch|dev)(?=\s|$)/, '$1run')
  const once = shortly.test(plain) ? plain.replace(/\s-w(?=\s|$)/g, '') : plain
  return flag === undefined ? once : `${once} ${flag}`
}
