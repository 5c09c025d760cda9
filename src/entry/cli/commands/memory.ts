import { join } from 'node:path'
import { countOf } from '../../../../packages/text/text.ts'
import { createFileMemory, type FileMemory } from '../../../adapters/file-store/memory-file.ts'
import { newest, readState } from '../../../adapters/file-store/state-files.ts'
import { createFileStore } from '../../../adapters/file-store.ts'
import { createSystemClock } from '../../../adapters/system.ts'
import { openInEditor } from '../../../adapters/text-editor.ts'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { isPlainFix, type KnownFix, knownFixSchema } from '../../../core/domain/known-fix.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { factId } from '../../../core/fact-id.ts'
import { fixId } from '../../../core/learn-fix.ts'
import { describeFact, earlierWork, type Fact } from '../../../model/memory/earlier-work.ts'
import { openWorkspace } from '../../compose/compose-local.ts'
import type { Flags } from '../flags.ts'
import { loadSettings } from '../load-settings.ts'
import { printable } from '../show-history.ts'
import type { Terminal } from '../terminal.ts'

const many = (count: number, one: string, more: string): string =>
  `${count} ${count === 1 ? one : more}`

/** A fact that is derived, not stored: from the commits of a finished task, or from the state of the last run. */
interface Derived {
  readonly id: string
  readonly kind: 'made' | 'tested' | 'failed'
  readonly task: string
  readonly text: string
  /** The commit that it is derived from; `null` for a failed attempt. */
  readonly commit: string | null
  /** When the last run filed it; `null` for a fact of an earlier run. */
  readonly at: string | null
}

type ShownFix = KnownFix & { readonly id: string }

interface Opened {
  readonly memory: FileMemory
  readonly fixes: readonly ShownFix[]
  /** Without those that a person forgot. */
  readonly facts: readonly Derived[]
}

/** `executor memory`: what the next task may be shown, with its origin and its time. */
export async function showMemory({ json }: Flags<'json'>, terminal: Terminal): Promise<number> {
  const { fixes, facts } = await open(terminal)
  if (json) {
    terminal.print(JSON.stringify({ facts, fixes }, null, 2))
    return 0
  }
  for (const { id, kind, task, text, commit, at } of facts) {
    const when = at === null ? '' : `  ${at.slice(0, 16).replace('T', ' ')}`
    const where = commit === null ? '' : ` at ${commit.slice(0, 7)}`
    terminal.print(`${id}  ${kind.padEnd(18)} ${printable(task)}${where}${when}`)
    terminal.print(`  ${printable(text)}`)
  }
  for (const { id, type, worked, failed, at, signature, fix } of fixes) {
    const used = `worked ${worked}, failed ${failed}`
    terminal.print(`${id}  ${type.padEnd(18)} ${used}  ${at.slice(0, 16).replace('T', ' ')}`)
    terminal.print(`  ${printable(signature)}`)
    terminal.print(`  → ${printable(fix)}`)
  }
  terminal.say(
    facts.length + fixes.length === 0
      ? 'Nothing is remembered yet.'
      : `${countOf(facts.length, 'fact')} and ${many(fixes.length, 'fix', 'fixes')} remembered. A fact is used only while its file is as the task left it.`,
  )
  return 0
}

/** `executor memory forget ID…` */
export async function forgetFacts(
  ids: readonly string[],
  flags: Flags<'json'>,
  terminal: Terminal,
): Promise<number> {
  const opened = await open(terminal)
  const known = new Set([...opened.facts, ...opened.fixes].map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) {
    const what = `Nothing is remembered as ${unknown.join(', ')}: executor memory lists the ids.`
    throw new ExecutorError('bad_usage', what)
  }
  return forget(opened, new Set(ids), flags, terminal)
}

/** `executor memory clear` */
export async function clearMemory(flags: Flags<'json'>, terminal: Terminal): Promise<number> {
  const opened = await open(terminal)
  const ids = [...opened.facts, ...opened.fixes].map(({ id }) => id)
  return forget(opened, new Set(ids), flags, terminal)
}

async function forget(
  { memory, fixes, facts }: Opened,
  ids: ReadonlySet<string>,
  { json }: Flags<'json'>,
  terminal: Terminal,
): Promise<number> {
  const removed = [...facts, ...fixes].filter(({ id }) => ids.has(id))
  if (removed.length > 0) await memory.forget([...ids])
  if (json) terminal.print(JSON.stringify({ removed }, null, 2))
  else for (const each of removed) terminal.print(lineOf(each))
  const said = many(removed.length, 'entry', 'entries')
  terminal.say(removed.length === 0 ? 'There was nothing to forget.' : `${said} forgotten.`)
  return 0
}

const head = '# Delete a line to forget it. Change what follows the arrow of a fix to correct it.\n'

/** `executor memory edit`: the memory in the person's editor. */
export async function editMemory(_: Flags<'json'>, terminal: Terminal): Promise<number> {
  const opened = await open(terminal)
  const shown = [...opened.facts, ...opened.fixes]
  if (shown.length === 0) {
    terminal.say('Nothing is remembered yet.')
    return 0
  }
  const text = `${head}${shown.map(lineOf).join('\n')}\n`
  const saved = await openInEditor(text, terminal.environment)
  if (saved.status === 'failed') throw new ExecutorError('bad_usage', saved.reason)
  const lines = saved.text.split(/\r?\n/).filter((line) => line.trim() !== '' && line[0] !== '#')
  const { kept, corrections } = readLines(lines, opened)
  for (const { known, fix } of corrections) await opened.memory.correct(known, fix)
  const gone = shown.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  if (gone.length > 0) await opened.memory.forget(gone)
  terminal.say(
    `${many(gone.length, 'entry', 'entries')} forgotten, ${many(corrections.length, 'fix', 'fixes')} corrected.`,
  )
  return 0
}

/** What a person left of the lines. Refuses the whole text for a line that cannot be used. */
function readLines(lines: readonly string[], { facts, fixes }: Opened) {
  const kept = new Set<string>()
  const corrections: { readonly known: KnownFix; readonly fix: string }[] = []
  const byId = new Map(fixes.map((fix) => [fix.id, fix]))
  const unchanged = new Set([...facts, ...fixes].map(lineOf))
  for (const line of lines) {
    const id = line.slice(0, 8)
    const known = byId.get(id)
    const start = known === undefined ? '' : startOf(known)
    const fix = line.slice(start.length).trim()
    if (unchanged.has(line)) kept.add(id)
    else if (known !== undefined && line.startsWith(start) && isUsable(known, fix)) {
      kept.add(id)
      corrections.push({ known, fix })
    } else {
      const what = `Nothing was changed. Only the part after the arrow of a fix can be edited, to one line: ${line.slice(0, 80)}`
      throw new ExecutorError('bad_usage', what)
    }
  }
  return { kept, corrections }
}

const isUsable = (known: KnownFix, fix: string): boolean =>
  knownFixSchema.safeParse({ ...known, fix }).success && isPlainFix({ ...known, fix })

const tellFact = (fact: Fact): string =>
  `${describeFact(fact)}${fact.command === '' ? '' : `, passed by ${fact.command}`}`

const startOf = ({ id, signature }: ShownFix): string => `${id}  ${printable(signature)} → `

const lineOf = (each: Derived | ShownFix): string =>
  'fix' in each
    ? `${startOf(each)}${printable(each.fix)}`
    : `${each.id}  ${each.kind} ${printable(each.text)} (${printable(each.task)})`

async function open(terminal: Terminal): Promise<Opened> {
  const { root } = await findRepository(terminal.directory)
  const directory = join(root, '.executor')
  const clock = createSystemClock()
  const notice = (sentence: string) => terminal.say(`note: ${sentence}`)
  const memory = createFileMemory({ directory, clock, notice })
  const fixes = (await memory.all()).map((fix) => ({ id: fixId(fix), ...fix }))
  const forgotten = new Set(await memory.forgotten())
  const read = await readState(directory, newest)
  if (read.status !== 'read') return { memory, fixes, facts: [] }
  const facts = await derive(read.state, root, terminal)
  return { memory, fixes, facts: facts.filter(({ id }) => !forgotten.has(id)) }
}

/** What the last run and its branches tell: derived each time. */
async function derive(
  { run, tasks }: RunState,
  root: string,
  terminal: Terminal,
): Promise<readonly Derived[]> {
  const clock = createSystemClock()
  const workspace = await openWorkspace(root, await loadSettings(root, {}, terminal), clock)
  await workspace.refresh()
  const directory = join(root, '.executor')
  const events = await createFileStore({ directory, clock }).journal(run.id)
  const filed = new Map(
    events.flatMap((event) =>
      event.kind === 'filed' ? [[event.result.id, event.at] as const] : [],
    ),
  )
  const works = await Promise.all(
    Object.values(tasks.results).map(async (result): Promise<readonly Derived[]> => {
      const work = await earlierWork(result, workspace)
      return (work?.facts ?? []).map((fact) => ({
        ...{ id: fact.id, kind: fact.kind, task: fact.task, text: tellFact(fact) },
        ...{ commit: result.sha, at: filed.get(result.id) ?? null },
      }))
    }),
  )
  const failed = Object.entries(tasks.failedBefore).map(([task, text]) => ({
    ...{ id: factId('failed', task, text), kind: 'failed' as const, task, text },
    ...{ commit: null, at: filed.get(task) ?? null },
  }))
  return [...works.flat(), ...failed]
}
