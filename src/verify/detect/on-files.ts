import { posix } from 'node:path'
import { runnerSuite, withPackagePrograms } from './detect-node.ts'
import { isWithin } from './project-roots.ts'
import { reportLine } from './report-line.ts'
import type { RepositoryFiles, Suite } from './suite.ts'

/** A word that the shell and every runner take as it is. */
const plainPath = /^[\w./@+-]+$/
/** Behind these a path is no value of theirs. */
const switches =
  /^(?:--(?:test|run|recursive|bail|ci|coverage|verbose|silent|exit|colors?|no-[\w-]+|check-leaks|runInBand|passWithNoTests|no-cov)|-[bivqxs]+)$/

/**
 * The same suite on these files of its directory alone, as one suite or several; none where its runner is
 * not known to take files, and for files that it cannot be given. What a script does besides is left out.
 *
 * @param files paths of the repository
 * @param exists true for a file or a folder of the repository
 */
export function onFiles(
  suite: Suite,
  files: readonly string[],
  exists: (path: string) => boolean,
): readonly Suite[] {
  const own = files.filter((path) => isWithin(path, suite.directory) && plainPath.test(path))
  const names = own.map((path) => `./${posix.relative(suite.directory, path)}`)
  if (names.length === 0) return []
  const alone: Suite = { ...suite, role: 'tests', plain: null, alone: null, otherwise: null }
  if ('argv' in suite.command) return withArguments(alone, suite, suite.command.argv, names, exists)
  const report = posix.basename(suite.collect[0] ?? '')
  if (suite.line === null || report === '') return []
  const kept = withoutPlaces(suite.line, suite.directory, exists)
  const reported = reportLine([kept, ...names].join(' '), report)
  if (reported === null || !takesFiles.has(reported.runner)) return []
  return [{ ...alone, command: { shell: withPackagePrograms(reported.shell, suite.directory) } }]
}

/** The same of a suite whose script hides its runner: the runner itself, with what its configuration says. */
export function onFilesOf(
  repository: RepositoryFiles,
  suite: Suite,
  files: readonly string[],
  exists: (path: string) => boolean,
): readonly Suite[] {
  const isHidden = suite.runner === 'npm-script'
  const known = isHidden ? runnerSuite(repository, suite.directory) : suite
  return known === null ? [] : onFiles(known, files, exists)
}

const takesFiles: ReadonlySet<Suite['runner']> = new Set([
  ...(['node-test', 'vitest', 'jest', 'mocha', 'tap', 'pytest'] as const),
])

function withArguments(
  alone: Suite,
  { runner, otherwise, directory }: Suite,
  argv: readonly string[],
  names: readonly string[],
  exists: (path: string) => boolean,
): readonly Suite[] {
  switch (runner) {
    case 'node-test':
      return [
        { ...alone, command: { argv: [...argv.filter((word) => !/^\.\//.test(word)), ...names] } },
      ]
    case 'pytest': {
      const paths = names.map((name) => posix.join(directory, name))
      const [first = null] = otherwise === null ? [] : onFiles(otherwise, paths, exists)
      return [{ ...alone, command: { argv: [...argv, ...names] }, otherwise: first }]
    }
    case 'unittest': {
      const start = argv.indexOf('discover') + 1
      if (start === 0) return []
      const options = argv
        .slice(start)
        .join(' ')
        .replace(/ ?-p \S+/, '')
      const place = /-s (\S+)/.exec(options)?.[1] ?? '.'
      return names
        .filter((name) => isWithin(posix.normalize(name), place))
        .map((name) => {
          const words = options.split(' ').filter((word) => word !== '')
          const only = [...argv.slice(0, start), ...words, '-p', posix.basename(name)]
          return { ...alone, command: { argv: only } }
        })
    }
    default:
      return []
  }
}

/** The line without the files, folders and patterns that it names to be run. */
function withoutPlaces(line: string, directory: string, exists: (path: string) => boolean): string {
  const words = line.trim().split(/\s+/)
  const isPlace = (word: string): boolean => {
    const path = word.replace(/^(["'])(.*)\1$/, '$2')
    return /[*{]/.test(path) || (path !== '' && exists(posix.join(directory, path)))
  }
  const kept = words.filter((word, index) => {
    const before = words[index - 1] ?? ''
    const isValue = before.startsWith('-') && !before.includes('=') && !switches.test(before)
    return index === 0 || isValue || word.startsWith('-') || !isPlace(word) || /=/.test(word)
  })
  return kept.join(' ')
}
