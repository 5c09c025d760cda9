import { resolve } from 'node:path'
import { structuredPatch } from 'diff'
import {
  type ChangeSet,
  type CodeProblem,
  contentAfter,
  contentBefore,
  type FileChange,
  type Refusal,
} from '../../../../packages/change/change.ts'
import { findProblems, openPolicyGate, readDraft } from '../../../../packages/judge/judge.ts'
import { createWasmSyntaxChecker } from '../../../../packages/source/source.ts'
import { checkPath, countOf } from '../../../../packages/text/text.ts'
import { openPlainFolder, type PlainFolder } from '../../../adapters/plain-folder.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import type { Flags } from '../flags.ts'
import { loadSettings } from '../load-settings.ts'
import { readInput } from '../read-input.ts'
import type { Terminal } from '../terminal.ts'

/** The result for an answer; `applied` is false for a file with a refused part, and if nothing was written. */
export interface ApplyResult {
  readonly files: readonly {
    readonly path: string
    readonly action: 'create' | 'modify' | 'delete'
    readonly applied: boolean
    /** The whole text; `null` for a deleted file. */
    readonly content: string | null
  }[]
  readonly refused: readonly Refusal[]
  readonly notes: readonly string[]
}

/**
 * `executor apply`: shows what the bot would make of a model's answer; `--write` applies it. Returns 0 when the whole
 * answer is usable; else 1, and nothing is written.
 */
export async function apply(
  file: string,
  flags: Flags<'write' | 'json', 'repo'>,
  terminal: Terminal,
): Promise<number> {
  const folder = await openPlainFolder(resolve(terminal.directory, flags.repo ?? '.'))
  const settings = await loadSettings(folder.root, {}, terminal)
  const { changes, refused, notes } = await makeChanges(
    await readInput(file, terminal),
    folder,
    settings,
  )
  const unwritten =
    flags.write && refused.length === 0 && changes.length > 0
      ? await writeOrRefuse(folder, changes)
      : []
  const all = [...refused, ...unwritten]
  const spoilt = new Set(all.map(({ path }) => path))
  const result: ApplyResult = {
    files: changes.map((change) => ({
      path: change.path,
      action: change.action,
      applied: !spoilt.has(change.path) && (all.length === 0 || !flags.write),
      content: contentAfter(change) ?? null,
    })),
    refused: all,
    notes,
  }
  if (flags.json) terminal.print(JSON.stringify(result, null, 2))
  else {
    const fitting = changes.filter(({ path }) => !spoilt.has(path))
    showApplied({ changes: fitting, refused: all, notes, write: flags.write === true }, terminal)
  }
  return all.length === 0 ? 0 : 1
}

async function makeChanges(answer: string, folder: PlainFolder, settings: Settings) {
  const all = await folder.paths()
  const { changes, refusals, notes, claimsDone } = await readDraft(answer, {
    base: [],
    expectedPath: undefined,
    paths: all,
    read: (paths) => folder.readTexts(paths.filter((path) => checkPath(path).status === 'ok')),
  })
  const named = [...changes, ...refusals].map(({ path }) => path)
  const paths = named.filter((path) => path !== '' && checkPath(path).status === 'ok')
  const modes = await folder.modesAround(paths)
  const files = [...modes].map(([path, mode]) => ({ path, mode }))
  const gate = openPolicyGate({ files }, { task: { files: [] }, grants: [] }, settings)
  const problems = [...gate.check(changes), ...(await codeProblems(changes, all, folder))]
  return {
    changes,
    refused: [
      ...refusals.map(({ path, reason, excerpt }) => ({
        path,
        reason: modes.get(path) === '120000' ? 'is a symbolic link' : reason,
        excerpt,
      })),
      ...problems.map(({ path, line, message }) => ({
        path,
        reason: line > 0 ? `line ${line}: ${message}` : message,
        excerpt: '',
      })),
    ],
    notes: claimsDone ? ['The answer says that there is nothing to do.', ...notes] : notes,
  }
}

async function codeProblems(
  changes: ChangeSet,
  paths: readonly string[],
  folder: PlainFolder,
): Promise<readonly CodeProblem[]> {
  const syntax = createWasmSyntaxChecker()
  try {
    const start = { paths, read: folder.readTexts }
    const means = { syntax, before: async () => null }
    return await findProblems({ task: null, draft: { changes } }, start, means)
  } finally {
    await syntax.close()
  }
}

async function writeOrRefuse(folder: PlainFolder, changes: ChangeSet): Promise<readonly Refusal[]> {
  const written = await folder.write(changes)
  return written.status === 'written'
    ? []
    : [{ path: written.path, reason: written.reason, excerpt: '' }]
}

/** Files with more differences are counted roughly, and shown without a diff. */
const mostDifferences = 4_000

/** Shows an answer's changes to a person: a diff of each file, and the refused parts. */
function showApplied(
  outcome: {
    readonly changes: ChangeSet
    readonly refused: readonly Refusal[]
    readonly notes: readonly string[]
    readonly write: boolean
  },
  terminal: Terminal,
): void {
  const { changes, refused, notes, write } = outcome
  for (const change of changes) showChange(change, terminal)
  for (const { path, reason, excerpt } of refused) {
    const where = path === '' ? '' : `${visible(path)}: `
    terminal.say(`${terminal.paint('red', 'refused')} ${where}${visible(reason)}`)
    if (excerpt !== '') terminal.say(terminal.paint('dim', indented(visible(excerpt))))
  }
  for (const note of notes) terminal.say(`${terminal.paint('yellow', 'note')} ${visible(note)}`)
  terminal.say(conclusion(changes.length, refused.length, write))
}

function conclusion(files: number, refused: number, write: boolean): string {
  const count = countOf(files, 'file')
  if (refused > 0) {
    return `${count} could be changed, ${countOf(refused, 'part')} refused${write ? '; nothing was written' : ''}.`
  }
  if (files === 0) return 'The answer changes nothing.'
  return write ? `${count} changed.` : `${count} would be changed. Add --write to change them.`
}

function showChange(change: FileChange, terminal: Terminal): void {
  const patch = structuredPatch(
    '',
    '',
    contentBefore(change) ?? '',
    contentAfter(change) ?? '',
    '',
    '',
    {
      context: 3,
      maxEditLength: mostDifferences,
    },
  )
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines) ?? []
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  const size = patch === undefined ? 'too much to show' : `+${count('+')} -${count('-')}`
  terminal.say(`${terminal.paint('bold', `${change.action} ${visible(change.path)}`)}  ${size}`)
  for (const { oldStart, oldLines, newStart, newLines, lines: body } of patch?.hunks ?? []) {
    const header = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
    terminal.say(terminal.paint('cyan', header))
    for (const line of body) terminal.say(painted(visible(line), terminal))
  }
}

function painted(line: string, terminal: Terminal): string {
  if (line.startsWith('+')) return terminal.paint('green', line)
  return line.startsWith('-') ? terminal.paint('red', line) : line
}

/** Replaces control characters, so that a model's text cannot control the terminal. */
const visible = (text: string): string =>
  text.replace(/\r$/gm, '').replace(/[^\P{Cc}\t\n]/gu, '\u{FFFD}')

const indented = (text: string): string => text.replace(/^/gm, '    ')
