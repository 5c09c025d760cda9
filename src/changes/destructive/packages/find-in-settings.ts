import picomatch from 'picomatch'
import type { Finding } from '../finding.ts'
import {
  elsewhere,
  isInsideRepository,
  leadsOut,
  manager,
  type Setting,
  settings,
} from './judges.ts'
import { isKnownSource, sourceOf } from './sources.ts'

interface LineRule {
  /** Globs of paths, in lower case. */
  readonly files: readonly string[]
  /** A group, where there is one, is an address or a path that decides. */
  readonly lines: readonly (readonly [pattern: RegExp, why: string])[]
}

/** Variables that tell an installer where to load from, or what to run besides. */
const variables =
  /\b(?:GOPROXY|GOFLAGS|GONOSUMDB|GONOSUMCHECK|GOSUMDB|GOINSECURE|GOPRIVATE|GONOPROXY|GOTOOLCHAIN|(?:PIP|UV|POETRY|NPM_CONFIG|npm_config|YARN|PNPM|BUNDLE|CARGO|MAVEN|COMPOSER|NUGET)_(?:EXTRA_)?\w*(?:INDEX|REGISTRY|registry|FIND_LINKS|TRUSTED_HOST|MIRROR|REPO|REGISTRIES|SOURCE)\w*)(?:\s*[:?+]?=|[ \t]+\S)/

const commands = [
  '**/{makefile,gnumakefile,justfile,.justfile,dockerfile,containerfile}{,.*}',
  '**/*.{mk,just,sh,bash,zsh,envrc,dockerfile}',
]

const rules: readonly LineRule[] = [
  { files: commands, lines: [[variables, settings]] },
  {
    files: ['**/*.{gradle,gradle.kts}'],
    lines: [
      [/\b(?:url|setUrl|uri|artifactPattern)\b[\s=(]*(?:uri\s*\(\s*)?["']([^"'\n]+)["']/, settings],
      [/\b(?:mavenLocal\s*\(|flatDir\b|initscript\b)/, settings],
      [/\bapply\s*\(?\s*from\s*[:=]\s*(?:uri\s*\(\s*)?["']([^"'\n]+)["']/, elsewhere],
      [/\b(?:includeBuild|includeFlat|files|fileTree)\s*\(?\s*["']([^"'\n]+)["']/, leadsOut],
    ],
  },
  {
    files: ['**/gradle.properties'],
    lines: [[/^\s*(?:systemProp\.|org\.gradle\.(?:jvmargs|java))/, settings]],
  },
  {
    files: ['**/setup.cfg'],
    lines: [
      [/^\s*(?:dependency_links|index_url|find_links)\s*=/, settings],
      [/^\s*(?:\w+\s*=\s*)?[\w.-]+\s*(?:\[[\w,\s-]{0,200}\])?\s*@\s*[\w+]+:/, elsewhere],
    ],
  },
  {
    files: ['**/{pip.ini,.pydistutils.cfg,init.gradle,init.gradle.kts}'],
    lines: [[/\S/, settings]],
  },
  { files: ['**/rust-toolchain'], lines: [[/\S/, manager]] },
]

const matchers = rules.map(({ files, lines }) => ({
  lines,
  matches: picomatch([...files], { dot: true, nonegate: true }),
}))

/** Longer lines are data. */
const longestLine = 4000

/** Lines of scripts, builds and settings that change where packages come from. */
export function findInSettings(path: string, text: string, setting: Setting): readonly Finding[] {
  const kinds = matchers.filter(({ matches }) => matches(path.toLowerCase()))
  if (kinds.length === 0) return []
  const found: Finding[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const start = at + (line.length - line.trimStart().length)
    at += line.length + 1
    if (line.length > longestLine || /^\s*(?:#|\/\/|\*|\/\*)/.test(line)) continue
    const meaning = line.trim()
    const why = kinds.flatMap(({ lines }) => lines).flatMap((rule) => judge(rule, line, setting))[0]
    const end = start + meaning.length
    if (why !== undefined) found.push({ start, end, category: 'packages', why, meaning })
  }
  return found
}

function judge(
  [pattern, why]: readonly [RegExp, string],
  line: string,
  { directory, known }: Setting,
): readonly string[] {
  const found = pattern.exec(line)
  if (found === null) return []
  const [, address] = found
  if (address === undefined) return [why]
  const isKnown =
    sourceOf(address) === null
      ? isInsideRepository(address, directory)
      : isKnownSource(address, known)
  return isKnown ? [] : [why]
}
