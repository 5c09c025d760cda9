import {
  codeSpans,
  isPathWord,
  normalisePath,
  trimMarks,
  withoutCodeSpans,
} from '../../text/text.ts'

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
