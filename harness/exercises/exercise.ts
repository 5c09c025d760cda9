/** An exercise with its tests and a reference solution. */
export interface Exercise {
  readonly name: string
  readonly language: Language
  /** What a solution is made of; `path` as in the repository that is laid out. */
  readonly solutions: readonly {
    readonly path: string
    readonly stub: string
    readonly reference: string
  }[]
  /** Paths of its tests, first the one that is named in the task. */
  readonly tests: readonly string[]
  /** Everything the repository has of it, stubs and tests included, by path. */
  readonly files: Readonly<Record<string, string>>
}

export const languages = ['python', 'javascript', 'go'] as const
export type Language = (typeof languages)[number]

const endings: Readonly<Record<Language, RegExp>> = {
  python: /\.py$/,
  javascript: /\.[cm]?js$/,
  go: /\.go$/,
}

export const languageOf = (path: string): Language | null =>
  languages.find((language) => endings[language].test(path)) ?? null

/** How its tests are run by hand, in the root of the repository. */
export function ownTests({ language, name }: Exercise): string {
  if (language === 'python') return `python3 -m pytest -q -x -p no:cacheprovider '${name}'`
  if (language === 'go') return `go test './${name}/...'`
  return `npx --no-install jest '${name}'`
}
