import { codeSpans, withoutCodeSpans } from '../markdown/inline-text.ts'
import { foldName } from '../words/words.ts'

type PathCheck =
  | { readonly status: 'ok'; readonly path: string }
  | { readonly status: 'refused'; readonly reason: string }

/** Limits in UTF-8 bytes: of ext4, APFS and NTFS for a name, of git for Windows for a path. */
const longestName = 255
const longestPath = 1_024

interface Rule {
  readonly reason: string
  readonly breaks: (text: string) => boolean
}

const pathRules: readonly Rule[] = [
  { reason: 'the path is empty', breaks: (path) => path.trim() === '' },
  { reason: 'the path is too long', breaks: (path) => byteLength(path) > longestPath },
  { reason: 'the path has control characters', breaks: (path) => /\p{Cc}/u.test(path) },
  { reason: 'the path is not valid Unicode text', breaks: (path) => !path.isWellFormed() },
  {
    reason: 'the path has invisible characters',
    breaks: (path) =>
      /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(path),
  },
  { reason: 'the path has backslashes; write /', breaks: (path) => path.includes('\\') },
  {
    reason: 'the path is absolute; start at the repository',
    breaks: (path) => /^(?:\/|[A-Za-z]:)/.test(path),
  },
  { reason: 'the path is a folder, not a file', breaks: (path) => /(?:^|\/)\.?\/?$/.test(path) },
  {
    reason: 'the path starts like an option or a home folder',
    breaks: (path) => /^(?:\.?\/)*[-~]/.test(path),
  },
]

const nameRules: readonly Rule[] = [
  { reason: 'the path leads out of the repository', breaks: (name) => name === '..' },
  { reason: 'the path reaches into .git', breaks: looksLikeGit },
  { reason: 'a name in the path is too long', breaks: (name) => byteLength(name) > longestName },
  {
    reason: 'a name in the path begins or ends with a space',
    breaks: (name) => name !== name.trim(),
  },
  { reason: 'a name in the path ends with a dot', breaks: (name) => name.endsWith('.') },
  {
    reason: 'a name in the path has one of < > : " | ? *',
    breaks: (name) => /[<>:"|?*]/.test(name),
  },
  {
    reason: 'a name in the path is reserved on Windows',
    breaks: (name) =>
      /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i.test(name),
  },
]

/**
 * Turns a path from a model into one that is inside the repository on every file system, or gives
 * the reason why it is not. Simplifies `./a` and `a//b`; repairs nothing else.
 */
export function checkPath(path: string): PathCheck {
  const broken = pathRules.find((rule) => rule.breaks(path))
  if (broken) return { status: 'refused', reason: broken.reason }
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  for (const name of names) {
    const rule = nameRules.find((each) => each.breaks(name))
    if (rule) return { status: 'refused', reason: rule.reason }
  }
  return { status: 'ok', path: names.join('/') }
}

/** Some file system reads it as `.git`: any case, trailing dots and spaces, streams, 8.3 names. */
function looksLikeGit(name: string): boolean {
  const folded = foldName(name).replace(/\p{M}/gu, '')
  const plain =
    folded
      .split(':', 1)[0]
      ?.replace(/[. ]+$/, '')
      .trim() ?? ''
  return plain === '.git' || /^gi[a-z0-9]{0,6}~[0-9]+$/.test(plain)
}

const byteLength = (text: string): number => Buffer.byteLength(text)

/** The checked form of a path; a refused path stays unchanged. */
export function plainPath(path: string): string {
  const checked = checkPath(path)
  return checked.status === 'ok' ? checked.path : path
}

/** How sure its surroundings make us that a word is a path: among words, marked, or labelled. */
export type Certainty = 'word' | 'marked' | 'labelled'

/** Longer words are prose, code or an attack. */
const longestWord = 1_200

/** Files known by names without an extension. */
const bareNames =
  /^(?:(?:GNU)?[Mm]akefile|[Jj]ustfile|(?:Docker|Container|Proc|Gem|Rake|Vagrant|Brew|Jenkins|Pip|Pod|Fast|App|Cap|Guard|Danger|Cart|Berks|Earth|Tilt|Caddy|Snake)file|CODEOWNERS|(?:LICEN[CS]E|COPYING)(?:-\w+)?|NOTICE|AUTHORS|README|CHANGELOG)$/
/** Such names that are also words. */
const bareWords =
  /^(?:CHANGES|HISTORY|NEWS|VERSION|CONTRIBUTORS|MAINTAINERS|OWNERS|COPYRIGHT|THANKS|BUILD|WORKSPACE|SConstruct|SConscript|Kconfig|gradlew|mvnw)$/
/** Such names with a purpose appended: `Dockerfile.dev`, `LICENSE.MIT`. */
const bareKinds =
  /^(?:Makefile|(?:Docker|Container|Proc|Jenkins|Gem)file|LICEN[CS]E|COPYING|README|NOTICE)\.\w[\w.-]{0,30}$/

/** Without a folder, only these endings count: `console.log` is no file. */
const knownEndings = new RegExp(
  `\\.(?:${[
    '[cm]?[jt]sx?|vue|svelte|astro|html?|css|s[ac]ss|less|svg|json[c5]?|ya?ml|toml|ini|cfg|conf|xml',
    'mdx?|rst|txt|adoc|tex|csv|tsv|sql|prisma|graphql|gql|proto|pyi?|ipynb|rb|erb|php|go|mod|rs|java',
    'kts?|scala|groovy|gradle|properties|swift|mm?|c|h|cc|cpp|cxx|hpp|hh|cs|fsx?|csproj|sln|vb|dart',
    'lua|p[lm]|r|jl|exs?|erl|hs|elm|cljs?|zig|nim|sol|sh|bash|zsh|fish|ps1|bat|cmd|tf|hcl|nix|mk',
    'cmake|lock|sum|snap|diff|patch|tmpl|hbs|ejs|pug|dockerfile',
  ].join('|')})$`,
  'i',
)

/** Products with names like files. */
const products =
  /^(?:(?:node|next|nuxt|vue|react|express|three|d3|discord|chart|ember)\.js|(?:asp|vb)\.net)$/i
const mediaType = /^(?:application|audio|font|image|multipart|text|video)\/[\w.+-]+$/

/**
 * Returns true for a word that names a file. Accepts absolute and hostile paths, so that they are
 * refused visibly, but is strict about whether a word is a path at all.
 */
export function looksLikePath(word: string, certainty: Certainty): boolean {
  if (word === '' || word.length > longestWord || word.includes('://') || word.endsWith('/'))
    return false
  if (/["<>|*?`;,\n]/.test(word) || products.test(word) || mediaType.test(word)) return false
  if (/\s/.test(word) && !(certainty === 'labelled' && /\.\w{1,10}$/.test(word))) return false
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
  if (
    bareNames.test(name) ||
    bareKinds.test(name) ||
    knownEndings.test(name) ||
    /^\.[A-Za-z][\w.-]*$/.test(name)
  )
    return true
  const inFolder = name !== word
  if (certainty !== 'word' && bareWords.test(name)) return true
  if (inFolder && /[\w\])}~-]\.[A-Za-z]\w{0,9}$/.test(name)) return true
  if (certainty === 'labelled') return inFolder || name.includes('.') || /^[A-Z]\w+$/.test(name)
  return certainty === 'marked' && inFolder && !/^[@/\\]/.test(word)
}

const extensions =
  'astro bash c cc cfg cjs conf cpp cs css csv cts dart env erl ex exs gif go gql gradle graphql h hpp hs htm html ini ipynb java jl jpg js json jsonc jsx kt kts less lock lua m md mdx mjs mm mts php pl png properties proto ps1 py pyi r rb rs rst sass scala scss sh sql svelte svg swift tf toml ts tsx txt vue xml yaml yml zsh'
const fileName = new RegExp(
  `[\\p{L}\\p{N}_*})\\]-]\\.(?:${extensions.replaceAll(' ', '|')})$`,
  'iu',
)
const wholeWord = /^[\p{L}\p{N}_.*{([@][^\s`"'<>|\\]*$/u
const longestToken = 300

/** True for a path in prose: `src/a/b`, `a.js`, `lib/`; not `Node.js`, `and/or`, `/users/:id`. */
export function isPathWord(word: string): boolean {
  if (word.length > longestToken || !wholeWord.test(word)) return false
  if (word.includes(':') || /^[^/]*@./.test(word) || products.test(word)) return false
  return fileName.test(word) || isFolder(word)
}

// A lone slash between words is prose ("and/or"); a folder shows in its start, its end or a glob.
const isFolder = (word: string): boolean =>
  /^\.{1,2}\/[\w*]/.test(word) || /^\w[^/]*\/$/.test(word) || /\/.*[/*]/.test(word)

/** `./src//a.js` → `src/a.js`. */
export const normalisePath = (path: string): string =>
  path
    .trim()
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')

/** Returns false for a path that cannot be inside the repository. */
export function staysInside(path: string): boolean {
  const outside = path === '' || /^[/\\~]|^[A-Za-z]:|\0/.test(path)
  return !outside && !path.split(/[/\\]/).includes('..')
}

/** Lists the paths that a text names, in backticks or as plain words, each once. */
export function pathsIn(text: string): string[] {
  const quoted = codeSpans(text).flatMap((code) => code.split(/\s+/))
  const plain = withoutCodeSpans(text).split(/[\s,;()"'[\]]+/)
  const words = [...quoted, ...plain].map(trimMarks).filter(isPathWord)
  return [...new Set(words.map(normalisePath))]
}

const moduleName = /(?<![\w./@:-])[a-z_]\w+(?:\.[A-Za-z_]\w*)+(?![\w(/-])/g
const domain = /\.(?:com|dev|io|net|org)$/

/**
 * Lists dotted names that may be modules, as paths without an ending: `src.math_utils` is
 * `src/math_utils`, and `src.math_utils.add` may be something in it. Which one is meant depends on
 * the files that exist.
 */
export function modulesIn(text: string): string[] {
  const names = (text.match(moduleName) ?? []).filter(
    (word) => word.length <= longestToken && !fileName.test(word) && !domain.test(word),
  )
  const modules = names.flatMap((name) => {
    const parts = name.split('.')
    return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('/'))
  })
  return [...new Set(modules)]
}

/** Removes Markdown's marks and punctuation around a word. */
export function trimMarks(word: string): string {
  if (word.length > longestToken) return ''
  return word.replace(/^["'(_:]+|^\*{1,2}(?=\w)/, '').replace(/["')_:.,;!?]+$|(?<=\w)\*{1,2}$/, '')
}
