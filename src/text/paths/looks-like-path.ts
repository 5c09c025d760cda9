/** How sure its surroundings make us that a word is a path: a word among words, marked, or labelled. */
export type Certainty = 'word' | 'marked' | 'labelled'

/** Longer words are prose, code or an attack. */
const longest = 1_200

/** Files that are known without an extension. */
const bareNames =
  /^(?:(?:GNU)?[Mm]akefile|[Jj]ustfile|(?:Docker|Container|Proc|Gem|Rake|Vagrant|Brew|Jenkins|Pip|Pod|Fast|App|Cap|Guard|Danger|Cart|Berks|Earth|Tilt|Caddy|Snake)file|CODEOWNERS|(?:LICEN[CS]E|COPYING)(?:-\w+)?|NOTICE|AUTHORS|README|CHANGELOG)$/
/** Those that are words, too. */
const bareWords =
  /^(?:CHANGES|HISTORY|NEWS|VERSION|CONTRIBUTORS|MAINTAINERS|OWNERS|COPYRIGHT|THANKS|BUILD|WORKSPACE|SConstruct|SConscript|Kconfig|gradlew|mvnw)$/
/** What such a file is for, behind its name: `Dockerfile.dev`, `LICENSE.MIT`. */
const bareKinds =
  /^(?:Makefile|(?:Docker|Container|Proc|Jenkins|Gem)file|LICEN[CS]E|COPYING|README|NOTICE)\.\w[\w.-]{0,30}$/

/** Without a folder only these endings are believed: `console.log` is no file. */
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

/** Products that are written like files. */
const products =
  /^(?:(?:node|next|nuxt|vue|react|express|three|d3|discord|chart|ember)\.js|(?:asp|vb)\.net)$/i
const mediaType = /^(?:application|audio|font|image|multipart|text|video)\/[\w.+-]+$/

/**
 * True for a word that names a file. Lenient about what the path is (an absolute or hostile
 * one is recognised, so that it is refused aloud), strict about whether it is one.
 */
export function looksLikePath(word: string, certainty: Certainty): boolean {
  if (word === '' || word.length > longest || word.includes('://') || word.endsWith('/'))
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
