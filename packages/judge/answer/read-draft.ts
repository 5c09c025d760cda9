import {
  type ChangeSet,
  type Draft,
  mergeChangeSets,
  overlay,
  type Refusal,
} from '../../change/change.ts'
import { checkPath, respell, showText } from '../../text/text.ts'
import type { Words } from '../judging.ts'
import { type Applied, applyReply, type Mend } from './apply-reply.ts'
import { type ChangeTree, checkReplaced } from './loss/check-replaced.ts'
import { fitToNode, mendPackage, packageNeighbours } from './loss/fit-node.ts'
import { keepDocs } from './loss/keep-docs.ts'
import { importNewNames, mendImports } from './loss/mend-imports.ts'
import { importAsExported, mendPaths } from './loss/mend-paths.ts'
import { parseReply, saysNothing } from './parse-reply.ts'
import { pathsOf, type Reply, withPaths } from './reply.ts'
import { spliceFunctions } from './splice-functions.ts'

export interface DraftInput extends Pick<ChangeTree, 'read'>, Partial<Pick<ChangeTree, 'paths'>> {
  /** `files`: the task's own list of files. */
  readonly task?: (Words & { readonly files?: readonly string[] }) | null
  readonly base: ChangeSet
  readonly refused?: readonly Refusal[]
  readonly expectedPath: string | undefined
  /** How the answer ended. */
  readonly end?: AnswerEnding
  /** The answer may send only the changed functions of a file. */
  readonly takesFunctions?: boolean
}

export interface AnswerEnding {
  /** `length`: the answer is a part, whatever ended it. */
  readonly finish?: 'stop' | 'length'
  /** Why it is empty or a part, where that is known. */
  readonly why?: string
}

/**
 * Reads a model's answer as a draft: parses it, applies it in memory to the earlier draft, and
 * lists everything unusable with its reason. An earlier refusal stays until an answer contains that
 * file, or gives another reason for it.
 *
 * @param input.base the attempt's changes so far; empty for a first answer
 * @param input.refused the refused parts of the previous answer
 * @param input.expectedPath the file of a code block without a path, if that is certain
 * @param input.read texts at the attempt's start commit
 * @param input.paths every path there, to recognize paths and to find users of lost names
 */
export async function readDraft(answer: string, input: DraftInput): Promise<Draft> {
  const { base, refused = [], expectedPath, task = null, read, end = {} } = input
  const there = input.paths ?? []
  const known = new Set([...there, ...base.map(({ path }) => path)])
  const said = withLikelyPaths(parseReply(answer, { expectedPath, known, why: end.why }), known)
  const paths = new Set(said.proposals.flatMap(pathsOf))
  const texts = await read([...paths, ...refused.map(({ path }) => path)])
  const start = (path: string) => texts.get(path)
  const present = overlay(start, base)
  const reply = input.takesFunctions === true ? withFunctions(said, present) : said
  const whole = reply.proposals.flatMap(({ kind, path }) => (kind === 'whole' ? path : []))
  const beside = await besideNew([...paths], there, read)
  const mend = mending(whole, task, beside)
  const applied = applyReply(reply, present, { start, show, mend })
  const asked = refused.flatMap(({ lost, path }) => (lost === undefined ? [] : path))
  const changes = mergeChangeSets(base, applied.changes)
  const around = { task, paths: there, read, show }
  const lost = changes.some(({ action }) => action === 'modify')
    ? await checkReplaced(changes, new Set(whole), new Set(asked), around)
    : { refusals: [], notes: [] }
  const isLost = (path: string) => lost.refusals.some((each) => each.path === path)
  // A file that it shows as it is takes nothing from the claim.
  const claims = reply.claimsDone || (applied.isIdle === true && saysNothing(answer))
  const open = claims
    ? []
    : refused.filter((each) => isLeft(each, present(each.path) !== undefined, reply, applied))
  const needs = (path: string) => task === null || isNeeded(path, task)
  const left = changes.length === 0 ? open : open.filter(({ path }) => needs(path))
  const dropped = open.filter((each) => !left.includes(each))
  const early = endsEarly(applied, refused, end)
  const out = [...refused.filter(isForGood), ...dropped]
  const warnings = [...lost.notes, ...early.notes, ...out.map(leftOut)]
  // When a repair brings nothing new, the earlier faults remain, and are the reasons that count.
  const hasReason = left.length > 0 || (input.refused !== undefined && base.length > 0)
  const isHeldBack = claims || (applied.isIdle === true && hasReason)
  const fresh = isHeldBack ? [] : applied.refusals
  const kept = applied.changes.filter(({ path }) => !isLost(path))
  const at = { paths: there, read }
  const moved = await mendPaths(mergeChangeSets(base, kept), at)
  const named = await importAsExported(moved.changes, at)
  const fitted = await fitToNode(named, at)
  return {
    changes: importNewNames(fitted),
    refusals: unique([...left, ...reply.refusals, ...lost.refusals, ...fresh, ...early.refusals]),
    claimsDone: claims && base.length === 0,
    summary: reply.summary,
    notes: [...applied.notes, ...moved.notes, ...warnings],
    warnings,
    ...(end.finish === 'length' && { isCut: true }),
  }
}

/**
 * Half an answer is no draft: the refusal asks for the rest. A part that brings nothing new has none; then the
 * earlier part counts, with a note.
 */
function endsEarly(
  { changes, isIdle }: Applied,
  refused: readonly Refusal[],
  { finish, why = '' }: AnswerEnding,
): { readonly refusals: readonly Refusal[]; readonly notes: readonly string[] } {
  const path = changes.at(-1)?.path
  const before = refused.find(({ isEarly }) => isEarly)
  const because = why === '' ? '' : ` (${why})`
  if (finish === 'length' && path !== undefined) {
    const reason = `the answer was cut off after this${because}; send what is missing, or NOTHING_TO_DO if nothing is`
    return { refusals: [{ path, reason, excerpt: '', isEarly: true }], notes: [] }
  }
  const isStuck = finish === 'length' && isIdle === true && before !== undefined
  const note = `the answers were cut off after ${before?.path}${because}: something may be missing`
  return { refusals: [], notes: isStuck ? [note] : [] }
}

const show = (path: string, text: string): string => showText(path, text).text

/** Words of a task that may be about documentation. */
const ofDocs = /\b(?:doc(?:s|string\w*|ument\w*)?|jsdoc|comment\w*)\b/i

/** A task may drop an import: then the answer's remaining uses are its fault, and the import stays out. */
const ofRemoval = /\b(?:remov|drop|replac|without|instead|migrat|get rid|stop using|no longer)\w*/i
const ofStatements = /\b(?:import|from|const|let|var|require|use|static|type|as)\b/g

/** The texts beside each new file that say which package it belongs to; those that the answer writes do not count. */
async function besideNew(
  written: readonly string[],
  there: readonly string[],
  read: ChangeTree['read'],
): Promise<ReadonlyMap<string, string>> {
  const fresh = written.filter((path) => !there.includes(path))
  const stays = there.filter((path) => !written.includes(path))
  const beside = fresh.flatMap((path) => packageNeighbours(path, stays))
  return beside.length === 0 ? new Map() : read(beside)
}

/** Puts back what an answer leaves out although it needs it or did not mean it: imports, and the documentation of a file in full. */
function mending(
  whole: readonly string[],
  task: ChangeTree['task'],
  beside: ReadonlyMap<string, string>,
): Mend {
  const said = task === null ? '' : `${task.title}\n${task.details}`
  const isAboutDocs = task === null || ofDocs.test(said)
  const isMeant = (statement: string) =>
    ofRemoval.test(said) &&
    (statement.replace(ofStatements, '').match(/[\w-]{2,}/g) ?? []).some((it) => said.includes(it))
  return (path, before = '', written) => {
    const text = before === '' && beside.size > 0 ? mendPackage(path, written, beside) : written
    const hasDocs = isAboutDocs || before === '' || !whole.includes(path)
    return mendImports(path, before, hasDocs ? text : keepDocs(path, before, text), isMeant)
  }
}

/** Reads a file that holds functions alone as a change of those functions. */
function withFunctions(reply: Reply, present: (path: string) => string | undefined): Reply {
  const proposals = reply.proposals.map((each) => {
    const text = each.kind === 'whole' ? present(each.path) : undefined
    const whole =
      text && each.kind === 'whole' ? spliceFunctions(each.path, text, each.content) : null
    return whole === null || each.kind !== 'whole' ? each : { ...each, content: whole }
  })
  return { ...reply, proposals }
}

/** No answer makes an invalid path possible: its content is dropped. */
const isForGood = ({ path }: Refusal): boolean =>
  path !== '' && checkPath(path).status === 'refused'

const prose = /\.(?:md|mdx|txt|rst|adoc)$/i

/** Prose that the task does not speak of is beside it; so is any file where the task lists its own. */
function isNeeded(path: string, { title, details, files = [] }: NonNullable<DraftInput['task']>) {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '')
  const isNamed = `${title}\n${details}`.toLowerCase().includes(stem.toLowerCase())
  return isNamed || !(files.length > 0 || prose.test(path))
}

const leftOut = ({ path, reason }: Refusal): string => `${path} was left out: ${reason}`

/**
 * True for a refusal that this answer neither fixes nor replaces with a new one. Any change fixes
 * the refusal of a file that does not exist: the path may have been the mistake.
 */
function isLeft(
  refusal: Refusal,
  isFile: boolean,
  reply: Reply,
  { changes, refusals, isIdle }: Applied,
): boolean {
  const { path } = refusal
  if (refusal.isEarly) return false
  if (isForGood(refusal) || (refusal.isEcho && changes.length > 0)) return false
  if (changes.some((change) => !isFile || change.path === path)) return false
  return isIdle === true || ![...reply.refusals, ...refusals].some((each) => each.path === path)
}

const unique = (refusals: readonly Refusal[]): readonly Refusal[] => [
  ...new Map(refusals.map((each) => [`${each.path}\n${each.reason}`, each])).values(),
]

/** Spellings of other systems and tools: `src\\a.js`, `/src/a.js`, a diff's `a/src/a.js`, accents encoded another way. */
const foreign = /\\|^\/(?!\/)|^[ab]\/|[^\x00-\x7F]/

/**
 * Spells paths as the repository does: replaces such a spelling only if it names no file itself,
 * and if the replacement names an existing file, or a place in an existing folder.
 */
function withLikelyPaths(reply: Reply, known: ReadonlySet<string>): Reply {
  const isForeign = reply.proposals.some((each) => pathsOf(each).some((path) => foreign.test(path)))
  if (!isForeign) return reply
  const folders = new Set([...known].map(topOf))
  const spell = (path: string) => likelyPath(path, known, folders)
  return { ...reply, proposals: reply.proposals.map((each) => withPaths(each, spell)) }
}

function likelyPath(
  path: string,
  known: ReadonlySet<string>,
  folders: ReadonlySet<string>,
): string {
  if (known.has(path) || !foreign.test(path)) return path
  const slashed = path.replaceAll('\\', '/')
  const isPrefixed = /^[ab]\//.test(slashed) && !folders.has(topOf(slashed))
  const bare = isPrefixed ? slashed.slice(2) : slashed.replace(/^\//, '')
  const plain = respell(bare.normalize('NFC'), known)
  const isThere = known.has(plain) || folders.has(topOf(plain))
  return isThere && checkPath(plain).status === 'ok' ? plain : path
}

const topOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')
