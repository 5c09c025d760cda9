/** Languages that are parsed in a process of their own. */
export type SyntaxLanguage =
  | 'python'
  | 'go'
  | 'java'
  | 'rust'
  | 'ruby'
  | 'php'
  | 'shell'
  | 'sql'
  | 'c'
  | 'cpp'
  | 'csharp'
  | 'kotlin'
  | 'swift'

/** Parsers that live in a process of their own, started by the first file that needs one. */
export interface SyntaxChecker {
  /**
   * Problems of one text, as its parser sees them: some parsers reject what their language allows.
   * `unavailable` when the process crashed twice or took too long: "not checked", never "valid".
   */
  check(
    language: SyntaxLanguage,
    text: string,
  ): Promise<
    | { readonly status: 'checked'; readonly problems: readonly SyntaxProblem[] }
    | { readonly status: 'unavailable'; readonly reason: string }
  >
}

/** Line and column are 1-based. */
export interface SyntaxProblem {
  readonly message: string
  readonly line: number
  readonly column: number
}
