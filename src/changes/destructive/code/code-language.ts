/** What a reader of tokens must know of a language. */
export interface CodeLanguage {
  readonly lineComments: readonly string[]
  /** Comments between slashes and stars. */
  readonly isBlockCommented: boolean
  /** Single quotes: a character, or a text. */
  readonly single: 'character' | 'text'
  /** Backticks: a command that runs, a text as it stands, a template, or nothing. */
  readonly backtick: 'command' | 'text' | 'template' | 'none'
  /** Three double quotes begin a text. */
  readonly isTripled: boolean
  /** How a text holds an expression. */
  readonly interpolation: RegExp | null
  /** `/…/` may be a pattern. */
  readonly hasPatterns: boolean
  /** A call needs no parentheses: `system "ls"`. */
  readonly isLoose: boolean
  /** Code stands between PHP's marks, and all else is text. */
  readonly isEmbedded: boolean
}

const likeC: CodeLanguage = {
  lineComments: ['//'],
  isBlockCommented: true,
  single: 'character',
  backtick: 'none',
  isTripled: false,
  interpolation: null,
  hasPatterns: false,
  isLoose: false,
  isEmbedded: false,
}
const likeRuby: CodeLanguage = {
  lineComments: ['#'],
  isBlockCommented: false,
  single: 'text',
  backtick: 'command',
  isTripled: false,
  interpolation: /#\{[^{}]{0,300}\}/g,
  hasPatterns: true,
  isLoose: true,
  isEmbedded: false,
}
const dollar = /\$\{[^{}]{0,300}\}|\$[A-Za-z_]\w*/g

export const codeLanguages = {
  go: { ...likeC, backtick: 'text' },
  c: likeC,
  cpp: likeC,
  java: { ...likeC, isTripled: true },
  kotlin: { ...likeC, isTripled: true, interpolation: dollar },
  scala: { ...likeC, isTripled: true, interpolation: dollar },
  groovy: { ...likeC, single: 'text', isTripled: true, interpolation: dollar },
  csharp: { ...likeC, isTripled: true, interpolation: /\{[^{}]{0,300}\}/g },
  swift: { ...likeC, isTripled: true, interpolation: /\\\([^()]{0,300}\)/g },
  dart: { ...likeC, single: 'text', isTripled: true, interpolation: dollar },
  rust: { ...likeC, interpolation: /\{[^{}]{0,100}\}/g },
  php: {
    ...likeC,
    lineComments: ['//', '#'],
    isEmbedded: true,
    single: 'text',
    backtick: 'command',
    interpolation: /\{\$[^{}]{0,300}\}|\$[A-Za-z_]\w*(?:->\w+|\[[^\]\n]{0,100}\])?/g,
  },
  ruby: likeRuby,
  perl: { ...likeRuby, interpolation: /[$@]\{?[A-Za-z_]\w*\}?/g },
  elixir: { ...likeRuby, backtick: 'none', isTripled: true, hasPatterns: false },
  lua: { ...likeC, lineComments: ['--'], isBlockCommented: false, single: 'text' },
  javascript: {
    ...likeC,
    single: 'text',
    backtick: 'template',
    interpolation: /\$\{[^{}]{0,300}\}/g,
    hasPatterns: true,
  },
  python: {
    ...likeRuby,
    backtick: 'none',
    isTripled: true,
    interpolation: /\{[^{}]{0,300}\}/g,
    hasPatterns: false,
    isLoose: false,
  },
} as const satisfies Readonly<Record<string, CodeLanguage>>

export type CodeLanguageName = keyof typeof codeLanguages
