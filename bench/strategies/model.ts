/**
 * The modelled model of the bench. It knows a solution of the task and gives it only where the lines that it depends
 * on were in the conversation: those that an edit copies, and the definitions of the names that the new lines use.
 * Otherwise it guesses, as models do. Its faults are drawn in `faults.ts`.
 */
import { fileBlock, noExplanation } from '../../harness/answer.ts'
import { lineChanges, linesOf } from '../../harness/line-changes.ts'
import type { RecordedModelRequest } from '../../packages/github-simulator/model/model-script.ts'
import {
  chooseLook,
  type Missing,
  quoted,
  spoilCall,
  type ToolCall,
  wordsOf,
  writeCall,
} from './choose-call.ts'
import { addedLines, drawLuck, healing, type Profile, withSlip, withSyntaxError } from './faults.ts'
import { isPathShown, isShown, type NeededName, neededNames } from './find-names.ts'
import { withFormFault, wrongPath } from './form-faults.ts'
import { guessCode, guessFile } from './guess-code.ts'
import type { SolvedFile, Task } from './task.ts'
import { editsBlock, isWhollyShown, shownText, writeEdits, writeShownPart } from './write-change.ts'

export type Style = 'edits' | 'whole'
type Request = Pick<RecordedModelRequest, 'messages' | 'purpose'>

/** What the model has in mind about one request. */
interface Reading {
  readonly all: string
  /** Without the model's own words. */
  readonly told: string
  readonly last: string
  readonly reflected: boolean
}

function read({ messages }: Request): Reading {
  const told = messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content)
  const all = messages.map(({ content }) => content).join('\n')
  const last = messages.at(-1)?.content ?? ''
  // What it changed before is quoted, and is not how the file is.
  const now = told
    .join('\n')
    .replaceAll(/^Your last repair did not help[\s\S]*?(?=\n\n[A-Z]|$(?![\s\S]))/gm, '')
  return { all, told: now, last, reflected: all.includes('WHY IT FAILED') }
}

export interface Model {
  readonly answer: (request: Request) => string
}

export function createModel(task: Task, profile: Profile, seed: number, style: Style): Model {
  const luck = drawLuck(profile, seed, task.id, task.parts.length)
  const faults = luck.parts.map(({ fault }) => fault)
  const turns = luck.parts.map(() => 0)
  const written = new Map<string, readonly string[]>()
  const learned = new Set<string>()
  const needs = new Map(task.solution.map((file) => [file.path, needsOf(task, file)]))
  const made = new Map<string, number>()
  /** In a loop of tools: what was written last, and what the draft holds by now. */
  const pending = new Map<string, string>()
  const draft = new Map<string, string>()
  const found = new Set<string>()
  let lastCall = ''
  let hasSeenOutput = task.kind !== 'needs a test run'

  return { answer }

  function answer(request: Request): string {
    const { purpose, messages } = request
    // The loop of a new attempt knows nothing of the one before.
    if (purpose === 'think' && messages.every(({ role }) => role !== 'assistant')) forget()
    const reading = read(request)
    for (const { name, lines } of [...needs.values()].flat()) {
      if (lines.some((line) => isShown(reading.told, line))) learned.add(name)
    }
    switch (request.purpose) {
      case 'classify':
      case 'recover':
        return noExplanation
      case 'reflect':
        return reflect(reading)
      case 'plan':
        return plan(reading)
      case 'choose_plan':
        return choosePlan(reading)
      case 'think':
        return think(reading)
      case 'repair_code':
      case 'repair_test':
        mend(reading)
        return write(reading)
      default:
        if (request.messages.length > 1 && request.purpose === null) mend(reading)
        return write(reading)
    }
  }

  function forget(): void {
    for (const known of [written, learned, made, pending, draft, found]) known.clear()
    for (const [index, { fault }] of luck.parts.entries()) {
      faults[index] = fault
      turns[index] = 0
    }
    lastCall = ''
    hasSeenOutput = task.kind !== 'needs a test run'
  }

  /** A fault that the question shows is mended with the published chance; what is not shown stays. */
  function mend({ last, reflected }: Reading): void {
    const chance = healing(profile, reflected)
    const failures = failuresIn(last)
    const shows = (signs: readonly string[]) => signs.some((sign) => failures.includes(sign))
    for (const [index, part] of task.parts.entries()) {
      const signs = [...task.signs, ...part.slips.flatMap((slip) => slip.signs)]
      const isSeen = shows(signs) || showsSyntax(index, last)
      if (!isSeen) continue
      if (!hasSeenOutput) {
        hasSeenOutput = true
        return
      }
      if (faults[index] === 'none' || !isWritten(index)) continue
      if ((luck.parts[index]?.heal() ?? 1) < chance) faults[index] = 'none'
      else turns[index] = (turns[index] ?? 0) + 1
    }
  }

  function isWritten(part: number): boolean {
    return task.solution.some((file) => file.part === part && written.has(file.path))
  }

  /** A place in a file of this part, as checks of the syntax and compilers name it, or as Python does. */
  function showsSyntax(part: number, last: string): boolean {
    return task.solution.some(
      (file) =>
        file.part === part && new RegExp(`${quoted(file.path)}(?::\\d+|", line \\d+)`).test(last),
    )
  }

  /** The text that the model would write now, faults and guesses among it. */
  function targetOf(file: SolvedFile, index: number): string {
    const part = task.parts[file.part]
    const fault = hasSeenOutput ? (faults[file.part] ?? 'none') : 'logic'
    const slips = part?.slips ?? []
    const start = Math.floor((luck.parts[file.part]?.slip ?? 0) * slips.length)
    const slip = slips[(start + (turns[file.part] ?? 0)) % Math.max(1, slips.length)]
    const isFirst = task.solution.findIndex((other) => other.part === file.part) === index
    const slipped =
      fault === 'logic' && slip !== undefined && slip.file === index
        ? (withSlip(file.after, slip) ?? file.after)
        : file.after
    const text = fault === 'syntax' && isFirst ? withSyntaxError(file).text : slipped
    const unknown = (needs.get(file.path) ?? []).filter(({ name }) => !learned.has(name))
    return unknown.length === 0 ? text : withGuesses(text, file, unknown)
  }

  /** With nothing to change it looks whether that is true. */
  function writeOrTest(reading: Reading): string {
    const said = write(reading)
    return said === nothing ? writeCall({ tool: 'run_tests', arguments: {} }) : said
  }

  function write(reading: Reading): string {
    const isMending = written.size > 0
    const blocks = task.solution.map((file, index) => {
      const target = targetOf(file, index)
      return style === 'whole'
        ? writeWhole(file, target, reading)
        : writeEdited(file, target, reading, isMending)
    })
    const said = blocks.join('')
    return withFormFault(said === '' ? unchanged(reading) : said, luck.form(style))
  }

  function writeWhole(file: SolvedFile, target: string, { all }: Reading): string {
    const isKnown = file.before === null || isWhollyShown(file.before, target, all)
    if (!isKnown) return guess(file, all)
    note(file.path, target)
    return fileBlock(file.path, target)
  }

  function writeEdited(
    file: SolvedFile,
    target: string,
    reading: Reading,
    isMending: boolean,
  ): string {
    const texts = textsOf(file)
    if (texts.length === 0) {
      note(file.path, target)
      return fileBlock(file.path, target)
    }
    const current = draft.get(file.path) ?? shownText(texts, reading.told)
    if (current === target) return ''
    const edits = writeEdits(current, target, reading.all)
    if (edits === null && isMending && written.has(file.path)) return ''
    if (edits === null && file.before !== null) return guess(file, reading.all)
    note(file.path, target)
    return edits === null ? fileBlock(file.path, target) : editsBlock(file.path, edits)
  }

  function textsOf({ path, before }: SolvedFile): readonly string[] {
    return [...(written.get(path) ?? []), ...(before === null ? [] : [before])]
  }

  function note(path: string, text: string): void {
    pending.set(path, text)
    written.set(path, [text, ...(written.get(path) ?? [])])
  }

  /** The change in a place that it does not know: the file that the task names, lines from memory, or a new file. */
  function guess(file: SolvedFile, all: string): string {
    const code = guessCode(task)
    const { decoy } = task
    const decoyText = decoy === null ? undefined : task.files.get(decoy)
    if (decoy !== null && decoyText !== undefined && isShown(all, lastLine(decoyText))) {
      const changed = `${decoyText}\n${code}`
      if (style === 'whole') return fileBlock(decoy, changed)
      const edits = writeEdits(decoyText, changed, all)
      if (edits !== null) return editsBlock(decoy, edits)
    }
    const path = isPathShown(all, file.path) && knowsPath(file) ? file.path : wrongPath(file.path)
    if (path !== file.path || style === 'whole') return fileBlock(path, guessFile(task, path))
    const near = nearestShown(file, all)
    const remembered = `${near}    ${wordsOf(task.text)[0] ?? 'value'}(options)\n`
    return editsBlock(path, [{ search: remembered, replace: `${near}${code}` }])
  }

  function knowsPath({ path }: SolvedFile): boolean {
    return luck.locates || task.text.includes(path)
  }

  /** What it wrote last, once more: a repair that repairs nothing. */
  function unchanged({ told }: Reading): string {
    const [file] = task.solution
    if (file === undefined) return nothing
    const line = (written.get(file.path)?.[0] ?? '')
      .split('\n')
      .find((text) => text.trim().length > 8 && isShown(told, text))
    return line === undefined
      ? nothing
      : editsBlock(file.path, [{ search: `${line}\n`, replace: `${line}\n` }])
  }

  function reflect({ last }: Reading): string {
    const sign = task.signs.find((each) => last.includes(each)) ?? 'the test'
    return `I assumed that the first version covers every case.\n${sign} shows one that it does not cover.\nI will follow the expected value in that test instead of my assumption.`
  }

  function plan({ all }: Reading): string {
    const known = task.solution.map(({ path }) => path).filter((path) => isPathShown(all, path))
    const isRight = luck.locates || known.every((path) => task.text.includes(path))
    const files = isRight ? known : [task.decoy ?? wrongPath(known[0] ?? 'main')]
    const complexity = task.kind === 'too big' ? 'high' : files.length > 1 ? 'medium' : 'low'
    if (/"plans": \[/.test(all)) {
      const others = [wrongPath(files[0] ?? 'main'), wrongPath(wrongPath(files[0] ?? 'main'))]
      return JSON.stringify({ plans: [planOf([others[0] ?? '']), planOf(files), planOf(others)] })
    }
    const steps = ['Change the code that the task is about', 'Keep the tests as they are']
    return complexity === 'high'
      ? JSON.stringify({ ...planOf(files), complexity })
      : JSON.stringify({ files, complexity, steps })
  }

  function planOf(files: readonly string[]) {
    const steps = files.map((path, at) => ({
      id: `s${at + 1}`,
      does: `Change ${path} so that its tests pass`,
      files: [path],
      needs: [],
    }))
    return { files, steps }
  }

  /** The plan that names the files of the solution, with the chance of a critic; otherwise the first. */
  function choosePlan({ last }: Reading): string {
    const lines = last.split('\n').flatMap((line) => /^(\d)\. (.*)/.exec(line)?.slice(1, 3) ?? [])
    const plans = lines.flatMap((number, at) =>
      at % 2 === 0 ? [{ number, says: lines[at + 1] ?? '' }] : [],
    )
    const best = plans.find(({ says }) => task.solution.every(({ path }) => says.includes(path)))
    const [first] = plans
    return (luck.judges ? (best ?? first) : first)?.number ?? '1'
  }

  function think(reading: Reading): string {
    const { last } = reading
    settle(last)
    if (/The tests pass|tests passed on this change already|No test run is left/.test(last)) {
      return writeCall({ tool: 'done', arguments: {} })
    }
    const missing = missingIn(reading)
    if (/^The change so far/m.test(last) && missing.paths.length === 0) {
      return writeCall({ tool: 'run_tests', arguments: {} })
    }
    const isFailure = /^(?:FAILED|Not usable yet|Not run|Not written)/m.test(last)
    if (isFailure) mend(reading)
    if (!hasSeenOutput && !isFailure && !made.has('run_tests')) {
      made.set('run_tests', 1)
      return writeCall({ tool: 'run_tests', arguments: {} })
    }
    const now = missingIn(reading)
    const seen = isFailure ? '' : writeSeen(reading, now)
    if (seen !== '') return seen
    const look = nextLook(reading, now)
    if (look === null) return writeOrTest(reading)
    const key = JSON.stringify(look)
    made.set(key, (made.get(key) ?? 0) + 1)
    lastCall = key
    return luck.call() < profile.wellFormed.edits ? writeCall(look) : spoilCall(look, luck.call())
  }

  /** A change is in the draft unless the tool says that it was not read or its lines were not found. */
  function settle(last: string): void {
    const isRead = !/^(?:Your reply had no tool call|There is no tool)/.test(last)
    for (const [path, text] of pending) {
      const said = last.split(path).slice(1).join(path).slice(0, 120)
      const isRefused =
        last.startsWith('Not usable') && /SEARCH lines|changed nothing|is not a/.test(said)
      if (isRefused) draft.delete(path)
      else if (isRead) draft.set(path, text)
    }
    pending.clear()
  }

  /** With some places seen and others not, it changes those first: what it saw does not stay in sight. */
  function writeSeen({ all }: Reading, { paths }: Missing): string {
    if (paths.length === 0) return ''
    const blocks = task.solution.map((file, index) => {
      const isKnown = (needs.get(file.path) ?? []).every(({ name }) => learned.has(name))
      if (file.before === null || !isKnown) return ''
      const current = draft.get(file.path) ?? file.before
      const part = writeShownPart(current, targetOf(file, index), all)
      if (part === null) return ''
      note(file.path, part.text)
      return editsBlock(file.path, part.edits)
    })
    const said = blocks.join('')
    return said === '' ? '' : withFormFault(said, luck.form(style))
  }

  function missingIn({ all }: Reading): Missing {
    return {
      paths: task.solution.flatMap((file, index) => {
        if (file.before === null) return []
        const current = draft.get(file.path) ?? file.before
        const isSeen = writeEdits(current, targetOf(file, index), all) !== null
        return isSeen ? [] : [file.path]
      }),
      names: [...needs.values()].flat().flatMap(({ name }) => (learned.has(name) ? [] : [name])),
    }
  }

  function nextLook({ all, told }: Reading, missing: Missing): ToolCall | null {
    const isDone = ([key, count]: readonly [string, number]) =>
      count > 1 || key === lastCall || !key.includes('read_file')
    const done = new Set([...made].filter(isDone).map(([key]) => key))
    for (const { path } of task.solution) {
      const isFound = new RegExp(`^${quoted(path)}(?::\\d|$)`, 'm').test(told)
      if (isFound || luck.locates || task.text.includes(path)) found.add(path)
    }
    return chooseLook(task, missing, all, done, found)
  }
}

const nothing = 'NOTHING_TO_DO'

/** What a message says of failing tests; empty where it shows code only. */
function failuresIn(message: string): string {
  const isFailure = /^FAILED |^The tests fail|breaks? tests/m.test(message)
  return isFailure ? (message.split(/\n(?:FILES|THE TEST)\b/)[0] ?? '') : ''
}

/** The last line before the change that the conversation shows, with its line break; empty without one. */
function nearestShown({ before, after }: SolvedFile, all: string): string {
  const lines = linesOf(before ?? '')
  const start = lineChanges(before ?? '', after)[0]?.start ?? 0
  const near = lines
    .slice(0, start + 1)
    .findLast((line) => line.trim().length > 8 && isShown(all, line))
  return near === undefined || near.endsWith('\n') ? (near ?? '') : `${near}\n`
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

function needsOf(task: Task, file: SolvedFile): readonly NeededName[] {
  const lines = file.after.split('\n')
  const added = addedLines(file).map((at) => lines[at] ?? '')
  return neededNames(task.language, task.files, {
    ...{ path: file.path, added: added.join('\n'), before: file.before ?? '' },
  })
}

/** Names as the model remembers them, where it never saw what they are. */
function withGuesses(text: string, file: SolvedFile, unknown: readonly NeededName[]): string {
  const own = new Set(addedLines(file))
  const names = unknown.map(({ name }) => name).join('|')
  const pattern = new RegExp(`\\b(?:${names})\\b`, 'g')
  return text
    .split('\n')
    .map((line, at) => (own.has(at) ? line.replaceAll(pattern, (name) => `${name}Of`) : line))
    .join('\n')
}
