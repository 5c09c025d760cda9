import { codeSpans, withoutCodeSpans } from '../markdown/inline-text.ts'

const extensions =
  'astro bash c cc cfg cjs conf cpp cs css csv cts dart env erl ex exs gif go gql gradle graphql h hpp hs htm html ini ipynb java jl jpg js json jsonc jsx kt kts less lock lua m md mdx mjs mm mts php pl png properties proto ps1 py pyi r rb rs rst sass scala scss sh sql svelte svg swift tf toml ts tsx txt vue xml yaml yml zsh'
const fileName = new RegExp(
  `[\\p{L}\\p{N}_*})\\]-]\\.(?:${extensions.replaceAll(' ', '|')})$`,
  'iu',
)
const products =
  /^(?:node|next|nuxt|vue|react|express|three|d3|chart|ember|socket|nest|backbone)\.js$/i
const wholeWord = /^[\p{L}\p{N}_.*{([@][^\s`"'<>|\\]*$/u
const longest = 300

/** True for a word that prose uses as a path: `src/a/b`, `a.js`, `lib/`, not `Node.js`, `and/or`, `/users/:id`. */
export function isPathWord(word: string): boolean {
  if (word.length > longest || !wholeWord.test(word)) return false
  if (word.includes(':') || /^[^/]*@./.test(word) || products.test(word)) return false
  return fileName.test(word) || isFolder(word)
}

// A lone slash between words is prose ("and/or"); a folder says so by its start, its end or a glob.
function isFolder(word: string): boolean {
  return /^\.{1,2}\/[\w*]/.test(word) || /^\w[^/]*\/$/.test(word) || /\/.*[/*]/.test(word)
}

/** `./src//a.js` → `src/a.js`. */
export function normalisePath(path: string): string {
  return path
    .trim()
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')
}

/** False for a path that cannot lie inside the repository. */
export function staysInside(path: string): boolean {
  const outside = path === '' || /^[/\\~]|^[A-Za-z]:|\0/.test(path)
  return !outside && !path.split(/[/\\]/).includes('..')
}

/** The paths that a text names, in back-ticks or as plain words, each once. */
export function pathsIn(text: string): string[] {
  const quoted = codeSpans(text).flatMap((code) => code.split(/\s+/))
  const plain = withoutCodeSpans(text).split(/[\s,;()"'[\]]+/)
  const words = [...quoted, ...plain].map(trimMarks).filter(isPathWord)
  return [...new Set(words.map(normalisePath))]
}

const moduleName = /(?<![\w./@:-])[a-z_]\w+(?:\.[A-Za-z_]\w*)+(?![\w(/-])/g
const domain = /\.(?:com|dev|io|net|org)$/

/**
 * What the text may mean by modules with dots between, as paths without an ending: `src.math_utils` is
 * `src/math_utils`, and `src.math_utils.add` may be something in it. Whether there is such a file tells
 * which was meant.
 */
export function modulesIn(text: string): string[] {
  const names = (text.match(moduleName) ?? []).filter(
    (word) => word.length <= longest && !fileName.test(word) && !domain.test(word),
  )
  const modules = names.flatMap((name) => {
    const parts = name.split('.')
    return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('/'))
  })
  return [...new Set(modules)]
}

/** The word without the marks of Markdown and punctuation around it. */
export function trimMarks(word: string): string {
  if (word.length > longest) return ''
  return word.replace(/^["'(_:]+|^\*{1,2}(?=\w)/, '').replace(/["')_:.,;!?]+$|(?<=\w)\*{1,2}$/, '')
}
