import { posix } from 'node:path'
import type { Runner } from './suite.ts'

/** A shell line that also writes a report, and who writes it. */
export interface ReportedLine {
  readonly shell: string
  readonly runner: Runner
}

/** Anything that could make another command of what is appended. */
const unsafe = /[;|&<>`\n\r\\]|\$\(|(?:^|\s)--(?=\s|$)/

/** `A=1 npx --no-install cross-env B=2 vitest run` → `vitest`, `run`. */
function commandWords(line: string): readonly string[] {
  const words = line.trim().split(/\s+/)
  const start = words.findIndex(
    (word) =>
      !/^\w+=/.test(word) && !['npx', '--no-install', '--no', 'cross-env', 'c8'].includes(word),
  )
  return start < 0 ? [] : words.slice(start)
}

export const nodeTestFlags = (report: string): readonly string[] => [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=tap',
  `--test-reporter-destination=${report}`,
]

export const pytestFlags = (report: string): readonly string[] => [
  ...['-p', 'no:cacheprovider', '-o', 'junit_family=xunit1'],
  `--junitxml=${report}`,
]

/** Which runner a line starts, and the same line with a report asked for; `null` when unknown. */
export function reportLine(line: string, report: string): ReportedLine | null {
  if (unsafe.test(line)) return null
  const words = commandWords(line)
  const [first = '', second = '', third = ''] = words
  const program = posix.basename(first)
  const append = (runner: Runner, flags: readonly string[]): ReportedLine => ({
    shell: [line.trim(), ...flags].join(' '),
    runner,
  })
  if (program === 'vitest') return reportVitest(line, words, report)
  const isScript = program === 'react-scripts' && second === 'test'
  const isByNode = program === 'node' && words.some((word) => /\/jest(?:\.js)?$/.test(word))
  if (program === 'jest' || isScript || isByNode) {
    if (/--(?:watch|outputFile|json)\b/.test(line)) return null
    const flags = ['--json', `--outputFile=${report}`, ...(isScript ? ['--watchAll=false'] : [])]
    return append('jest', flags)
  }
  const isModule = /^python3?$/.test(program) && second === '-m' && third === 'pytest'
  if (program === 'pytest' || isModule) {
    return /--junit/.test(line) ? null : append('pytest', pytestFlags(report))
  }
  if (['node', 'tsx'].includes(program) && words.includes('--test')) {
    if (/--(?:test-reporter|watch)\b/.test(line)) return null
    const flags = nodeTestFlags(report).join(' ')
    return {
      shell: line.replace(/(\s--test)(?=\s|$)/, (flag) => `${flag} ${flags}`),
      runner: 'node-test',
    }
  }
  return null
}

function reportVitest(line: string, words: readonly string[], report: string): ReportedLine | null {
  if (
    /--(?:watch|ui|outputFile)\b/.test(line) ||
    ['bench', 'watch', 'dev'].includes(words[1] ?? '')
  ) {
    return null
  }
  const once = words.includes('run') || words.includes('--run') ? [] : ['--run']
  const flags = [...once, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return { shell: [line.trim(), ...flags].join(' '), runner: 'vitest' }
}
