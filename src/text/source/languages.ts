const BY_EXTENSION: Readonly<Record<string, string>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'jsx',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  json: 'json',
  webmanifest: 'json',
  jsonc: 'jsonc',
  'code-workspace': 'jsonc',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  swift: 'swift',
  rb: 'ruby',
  rake: 'ruby',
  gemspec: 'ruby',
  ru: 'ruby',
  php: 'php',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  hh: 'cpp',
  hxx: 'cpp',
  cs: 'csharp',
  sh: 'shell',
  bash: 'shell',
  ksh: 'shell',
  bats: 'shell',
  sql: 'sql',
  css: 'css',
  scss: 'scss',
  less: 'less',
  html: 'html',
  htm: 'html',
  dockerfile: 'dockerfile',
  vue: 'vue',
  svelte: 'svelte',
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  rst: 'text',
  adoc: 'text',
  txt: 'text',
}

const BY_NAME: Readonly<Record<string, string>> = {
  '.babelrc': 'jsonc',
  '.swcrc': 'jsonc',
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  gemfile: 'ruby',
  rakefile: 'ruby',
  vagrantfile: 'ruby',
  podfile: 'ruby',
  makefile: 'makefile',
  'poetry.lock': 'toml',
  'cargo.lock': 'toml',
}

const BY_INTERPRETER: Readonly<Record<string, string>> = {
  node: 'javascript',
  python: 'python',
  python3: 'python',
  sh: 'shell',
  bash: 'shell',
  dash: 'shell',
  ksh: 'shell',
  bats: 'shell',
  ruby: 'ruby',
  php: 'php',
}

/** Files called `.json` whose readers accept comments and trailing commas. */
const COMMENTED_JSON =
  /(^|\/)(([tj]sconfig|tslint|\.eslintrc|api-extractor|devcontainer|deno|turbo|nx|biome|renovate|\.renovaterc|language-configuration)([.-][^/]*)?\.json|(\.vscode|\.devcontainer)\/[^/]*\.json)$/

/** Chart templates are YAML only after a program has filled them in. */
const CHART_TEMPLATE = /(^|\/)templates\/.*\.ya?ml$/

/** The language's name by path, or by the text's `#!` line; `unknown` when neither tells. */
export function languageOf(path: string, text = ''): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (CHART_TEMPLATE.test(path) && text.includes('{{')) return 'template'
  if (COMMENTED_JSON.test(path.toLowerCase())) return 'jsonc'
  const dot = name.lastIndexOf('.')
  const extension = dot >= 0 ? name.slice(dot + 1) : ''
  const known = own(BY_NAME, name) ?? own(BY_EXTENSION, extension)
  if (known !== undefined) return known
  return /^(?:dockerfile|containerfile)\.[\w-]+$/.test(name) ? 'dockerfile' : byInterpreter(text)
}

/** Prose, where fences, markers and sentences are what a file is made of. */
export function isProse(language: string): boolean {
  return language === 'markdown' || language === 'text' || language === 'unknown'
}

function byInterpreter(text: string): string {
  const line = /^#!\s*(?:\S*\/)?([^\s/]+)(?:[ \t]+(?:-S[ \t]+)?([^\s/-]\S*))?/.exec(text)
  const program = line?.[1] === 'env' ? line[2] : line?.[1]
  return own(BY_INTERPRETER, program ?? '') ?? 'unknown'
}

function own(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
