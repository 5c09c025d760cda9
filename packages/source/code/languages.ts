/** How a language's files are named, in lower case. */
interface FileMarks {
  readonly endings?: string
  readonly names?: string
  /** In a `#!` line. */
  readonly programs?: string
}

const LANGUAGES: Readonly<Record<string, FileMarks>> = {
  javascript: { endings: 'js mjs cjs', programs: 'node' },
  jsx: { endings: 'jsx' },
  typescript: { endings: 'ts mts cts' },
  tsx: { endings: 'tsx' },
  json: { endings: 'json webmanifest' },
  jsonc: { endings: 'jsonc code-workspace', names: '.babelrc .swcrc' },
  yaml: { endings: 'yaml yml' },
  toml: { endings: 'toml', names: 'poetry.lock cargo.lock' },
  python: { endings: 'py pyi', programs: 'python python3' },
  go: { endings: 'go' },
  rust: { endings: 'rs' },
  java: { endings: 'java' },
  kotlin: { endings: 'kt kts' },
  swift: { endings: 'swift' },
  ruby: {
    endings: 'rb rake gemspec ru',
    names: 'gemfile rakefile vagrantfile podfile',
    programs: 'ruby',
  },
  php: { endings: 'php', programs: 'php' },
  c: { endings: 'c h' },
  cpp: { endings: 'cc cpp cxx hpp hh hxx' },
  csharp: { endings: 'cs' },
  shell: { endings: 'sh bash ksh bats', programs: 'sh bash dash ksh bats' },
  sql: { endings: 'sql' },
  css: { endings: 'css' },
  scss: { endings: 'scss' },
  less: { endings: 'less' },
  html: { endings: 'html htm' },
  dockerfile: { endings: 'dockerfile', names: 'dockerfile containerfile' },
  makefile: { names: 'makefile' },
  vue: { endings: 'vue' },
  svelte: { endings: 'svelte' },
  markdown: { endings: 'md markdown mdx' },
  text: { endings: 'rst adoc txt' },
}

const languagesBy = (mark: keyof FileMarks): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(LANGUAGES).flatMap(([language, { [mark]: words = '' }]) =>
      (words.match(/\S+/g) ?? []).map((word) => [word, language]),
    ),
  )

const byEnding = languagesBy('endings')
const byName = languagesBy('names')
const byProgram = languagesBy('programs')

/** `.json` files whose readers accept comments and trailing commas. */
const COMMENTED_JSON =
  /(^|\/)(([tj]sconfig|tslint|\.eslintrc|api-extractor|devcontainer|deno|turbo|nx|biome|renovate|\.renovaterc|language-configuration)([.-][^/]*)?\.json|(\.vscode|\.devcontainer)\/[^/]*\.json)$/

/** Chart templates become YAML only when a program fills them in. */
const CHART_TEMPLATE = /(^|\/)templates\/.*\.ya?ml$/

/** The language's name by path, else by the text's `#!` line; `unknown` when neither tells. */
export function languageOf(path: string, text = ''): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (CHART_TEMPLATE.test(path) && text.includes('{{')) return 'template'
  if (COMMENTED_JSON.test(path.toLowerCase())) return 'jsonc'
  const known = byName.get(name) ?? byEnding.get(/\.([^.]*)$/.exec(name)?.[1] ?? '')
  if (known !== undefined) return known
  return /^(?:dockerfile|containerfile)\.[\w-]+$/.test(name) ? 'dockerfile' : byInterpreter(text)
}

/** Prose, whose files consist of fences, markers and sentences. */
export const isProse = (language: string): boolean =>
  language === 'markdown' || language === 'text' || language === 'unknown'

function byInterpreter(text: string): string {
  const line = /^#!\s*(?:\S*\/)?([^\s/]+)(?:[ \t]+(?:-S[ \t]+)?([^\s/-]\S*))?/.exec(text)
  const program = line?.[1] === 'env' ? line[2] : line?.[1]
  return byProgram.get(program ?? '') ?? 'unknown'
}
