import {
  codeSpans,
  isPathWord,
  normalisePath,
  trimMarks,
  withoutCodeSpans,
} from '../../text/text.ts'

/** Commands and paths in metadata. */

const programs =
  /^(?:\.{1,2}\/\S+|\/(?:usr|bin|opt)\/\S+|npm|npx|node|yarn|pnpm|bun|bunx|deno|tsx|tsc|python3?|pytest|uv|poetry|tox|go|cargo|make|just|mvn|gradle|bash|sh|ruby|bundle|rake|rspec|php|composer|dotnet|swift|mix|vitest|jest|eslint|prettier|biome|ruff|mypy|ctest|cmake|zig|dart|flutter|sbt|docker|curl|grep|test|diff)(?:\s|$)/

/** A program, perhaps behind settings or `!`: words of code, paths of sources and numbers are none. */
const program =
  /^(?:[A-Z_][A-Z\d_]*=\S*\s+)*(?:!\s+|\[{1,2}\s)?[~@]?[\p{L}_./[][^\s(){}<>"',;=]*(?=\s|$)/u
const sources =
  /^\S+\.(?:md|jsonc?|ya?ml|toml|css|html?|txt|[cm]?tsx?|jsx|vue|svelte|rs|go|java|kt|cs|c|h|cc|cpp|hpp)$/
const values = /^(?:true|false|null|undefined|none|nil|ok|yes|no|NaN)$/i
const calls = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|SELECT|INSERT|UPDATE)\b/
const operators = /\s(?:[=!]==?|=>|<=|≤|≥|→)\s/

/** Words around commands that say no more than that they are to pass. */
const glue =
  /\b(?:run(?:s|ning)?|both|all|the|commands?|tests?|checks?|must|should|will|pass(?:es|ing)?|succeeds?|exits?|returns?|with|code|status|0|zero|is|are|be|green|clean|works?|still|and|then|also|in|from|project|root|without|no|errors?|warnings?|locally|ci|after|before|plus|und|et|y|e)\b/gi

const verdict =
  /\s+(?:(?:must|should|still|all)\s+)*(?:pass(?:es)?|succeeds?|is green|works|runs (?:clean|green)|exits? (?:with )?(?:code |status )?0)[.!]?$/i
const sentence = /\s(?:sure|that|it|is|are|should|must|the|when|if|a|an|to the)\s/i

/** The commands of a value, and the code in it that is none. */
interface ReadCommands {
  readonly commands: readonly string[]
  readonly others: readonly string[]
}

/** Reads commands in back-ticks, else the lines that start with a program's name. */
export function readCommands(value: string): ReadCommands {
  const quoted = codeSpans(value.replace(/(exits? (?:with )?(?:code |status )?)`0`/gi, '$1 0'))
  if (quoted.length === 0) {
    const lines = value.split('\n').map((line) => line.trim().replace(verdict, ''))
    const commands = lines.filter((line) => programs.test(line) && !sentence.test(line))
    return { commands, others: [] }
  }
  const around = withoutCodeSpans(value)
    .replace(/\([^()]*\)/g, ' ')
    .replace(glue, ' ')
  const isList = !/[\p{L}\p{N}]/u.test(around)
  const isCommand = (code: string) => programs.test(code) || (isList && looksLikeCommand(code))
  return {
    commands: quoted.filter(isCommand),
    others: quoted.filter((code) => !isCommand(code)),
  }
}

const looksLikeCommand = (code: string): boolean =>
  program.test(code) &&
  ![sources, values, calls, operators].some((pattern) => pattern.test(code)) &&
  !/^\S*\(/.test(code)

const bareNames = /^(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|LICENSE|README|CHANGELOG)$/

/**
 * Paths and globs: those in back-ticks and the targets of links, each with those that stand alone between commas;
 * without any, the words that look like paths.
 */
export function readPaths(value: string): string[] {
  const plain = value.replace(
    link,
    (_, label: string, target: string) => ` \`${fileOf(target, label)}\` `,
  )
  const text = plain.replace(/\s\([^()]*\)/g, ' ')
  const marked = codeSpans(text)
  const rest = withoutCodeSpans(text)
  const words = rest.split(marked.length > 0 ? /\s*[,;\n]\s*/ : /[\s,;]+/)
  const isPath = (word: string) =>
    isPathWord(word) || (marked.length === 0 && (word.includes('/') || bareNames.test(word)))
  const others = words
    .map((word) => fromRoot(trimMarks(word.trim().replace(/^<(.*)>$/, '$1'))))
    .filter(isPath)
  return [
    ...new Set([...marked, ...others].map((path) => normalisePath(fromRoot(withoutPlace(path))))),
  ]
}

/** `[label](target "title")`. */
const link = /\[([^[\]]*)\]\(\s*<?([^()<>\s]+)>?(?:\s+["'][^"']*["'])?\s*\)/g

/** The file that a link leads to: below the root of the repository, or in a view of it on GitHub or GitLab. */
function fileOf(target: string, label: string): string {
  const file = target.replace(
    /^https?:\/\/[^/]+\/[^/]+\/[^/]+\/(?:-\/)?(?:blob|tree|edit|raw)\/[^/]+\//,
    '',
  )
  return file.startsWith('#') || file.includes('://') ? label : decoded(file).replace(/^\/+/, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Turns `a.py:12-40`, `a.py#L12` and `a.py?plain=1#L12` into `a.py`. */
const withoutPlace = (path: string): string =>
  path.replace(/:\d+(?:[-–]\d+)?$|(?:\?\w[^#]*)?#[\w-]*$/, '')

/** `//src/a.ts` starts at the root of the repository. */
const fromRoot = (path: string): string => path.replace(/^\/\/(?=[\w.@])/, '')
