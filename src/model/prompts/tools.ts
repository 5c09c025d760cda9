import type { ToolName } from '../../core/domain/tool-call.ts'
import type { ToolDefinition } from '../../core/ports/model.ts'

interface Tool {
  /** What it does and shows, for the model. */
  readonly does: string
  /** Arguments by name; those with `?` at the end are optional. */
  readonly takes: Readonly<Record<string, string>>
}

const path = 'a path in the repository'

/** The tools of `strategy: tools`, in the order in which a prompt lists them. */
const tools: Readonly<Record<ToolName, Tool>> = {
  read_file: {
    does: 'shows a file, or the lines from..to of it',
    takes: { path, 'from?': 'first line', 'to?': 'last line' },
  },
  list_files: { does: 'lists the files of a folder', takes: { 'path?': 'a folder' } },
  grep: {
    does: 'shows the lines that hold these words exactly, or that match a POSIX expression',
    takes: { 'words?': 'exact text', 'expression?': 'POSIX extended', 'path?': 'a file or folder' },
  },
  search: {
    does: 'shows the files and definitions that fit these words best',
    takes: { words: 'a few words or names' },
  },
  write_diff: {
    does: 'changes files, and tests them; write them as below, not as JSON',
    takes: { change: 'files in the form below' },
  },
  run_tests: { does: "runs the project's tests on your change", takes: {} },
  static_analyze: { does: 'checks your change without running it', takes: {} },
  done: {
    does: 'ends the task if the tests pass; otherwise shows what fails',
    takes: { 'summary?': 'one sentence' },
  },
}

/** One line for each tool: `grep {words?, expression?, path?}: shows the lines …`. */
export const listTools = (allowed: readonly ToolName[]): string =>
  allowed
    .map((name) => `${name} {${Object.keys(tools[name].takes).join(', ')}}: ${tools[name].does}`)
    .join('\n')

const numbers: ReadonlySet<string> = new Set(['from', 'to'])

/** The same tools for endpoints with tool calls of their own. */
export const defineTools = (allowed: readonly ToolName[]): readonly ToolDefinition[] =>
  allowed.map((name) => {
    const { does: description, takes } = tools[name]
    const given = Object.entries(takes).map(([key, said]) => {
      const plain = key.replace('?', '')
      return [
        plain,
        { type: numbers.has(plain) ? 'integer' : 'string', description: said },
      ] as const
    })
    const required = Object.keys(takes).filter((key) => !key.endsWith('?'))
    const parameters = { type: 'object', properties: Object.fromEntries(given), required }
    return { name, description, parameters }
  })
