import { looksLikePath } from '../../../text/text.ts'
import { pathOfHeader } from '../find-path.ts'
import type { Lines } from '../text-lines.ts'
import { cleanPath, gitPaths, withoutPrefix } from './diff-paths.ts'
import { countsRight, type Hunk, type HunkLine, hunkLine, hunkOf } from './hunk.ts'

/** A diff of one file, as written. A path is `null` for `/dev/null`, and `undefined` if missing. */
export interface FileDiff {
  old: string | null | undefined
  renewed: string | null | undefined
  action: 'modify' | 'create' | 'delete' | 'rename' | 'copy' | 'binary' | 'mode' | 'half_rename'
  readonly hunks: readonly Hunk[]
  /** False when neither an envelope nor correct counts show that the last hunk is complete. */
  closed: boolean
}

interface Section extends FileDiff {
  /** The paths came from `---`, `+++` or an envelope, not only from `diff --git`. */
  named: boolean
  /** The paths in `rename from` and `rename to`. */
  readonly moved: { from?: string; to?: string }
  readonly hunks: OpenHunk[]
}

type OpenHunk = { -readonly [Key in keyof Hunk]: Hunk[Key] } & {
  readonly headings: string[]
  readonly lines: HunkLine[]
}

/**
 * Reads unified diffs, git's diffs and `*** Begin Patch` envelopes, one after the other, despite
 * whatever models omit: counts, numbers, headers, leading spaces. Linear; never throws.
 */
export function parseDiff(lines: Lines, doubtful: Lines = []): readonly FileDiff[] {
  const sections = new DiffReader(lines).sections.filter(
    ({ hunks, action, named }) => hunks.length > 0 || action !== 'modify' || named,
  )
  const last = sections.at(-1)
  const lastHunk = last?.hunks.at(-1)
  if (last && lastHunk && !last.closed) {
    lastHunk.doubtful = doubtful.map(hunkLine)
    last.closed = countsRight(lastHunk)
  }
  return sections.map((section) => ({ ...section, ...sidesOf(section) }))
}

function sidesOf({ moved, hunks }: Section): Partial<FileDiff> {
  const { from, to } = moved
  if (from !== undefined && to !== undefined) return { old: from, renewed: to }
  if (from === undefined && to === undefined) {
    return isAllNew(hunks) ? { old: null, action: 'create' } : {}
  }
  return { old: from ?? to, renewed: from ?? to, action: 'half_rename' }
}

/** `@@ -0,0 +1,3 @@` above lines without any sign: they are the whole file. */
function isAllNew([hunk, ...others]: readonly OpenHunk[]): boolean {
  const isNew = hunk?.range?.oldCount === 0 && others.length === 0
  return isNew && hunk.lines.length > 0 && hunk.lines.every(({ kind }) => kind === 'context')
}

/** Longer lines are cut, because they are no headers. */
const longestHeader = 2_800
const numbered = /^@@+\s*-(\d+)(?:,(\d+))?\s+\+(\d+)(?:,(\d+))?\s*(?:@@+)?(.*)$/
const envelope =
  /^\*\*\*\s+(Begin Patch|End Patch|Update File|Add File|Delete File|Move to|End of File)\b:?\s*(.*?)\s*(?:\*\*\*)?$/i

class DiffReader {
  readonly sections: Section[] = []
  readonly #lines: Lines
  #at = 0

  constructor(lines: Lines) {
    this.#lines = lines
    for (; this.#at < lines.length; this.#at += 1) {
      const line = lines[this.#at] ?? ''
      if (!this.#readHeader(line)) this.#readBody(line)
    }
  }

  /** Returns true when the line was a header of a file or a hunk. */
  #readHeader(line: string): boolean {
    if (line.startsWith('@@')) return this.#openHunk(line)
    if (line.startsWith('***')) return this.#readEnvelope(line)
    if (line.startsWith('diff --git ')) {
      const paths = gitPaths(line)
      this.#open(paths?.old, paths?.renewed, 'modify', false)
      return true
    }
    if (line.startsWith('--- ') || line.startsWith('+++ ')) return this.#readSides(line)
    return this.#isInHeader() && this.#readExtended(line)
  }

  #readSides(line: string): boolean {
    const next = this.#lines[this.#at + 1] ?? ''
    const isPair = line.startsWith('---') && next.startsWith('+++ ')
    const old = line.startsWith('---') ? cleanPath(line.slice(4)) : undefined
    const renewed =
      isPair || old === undefined ? cleanPath((isPair ? next : line).slice(4)) : undefined
    const fits = [old, renewed].every((path) => path === undefined || isPlausible(path))
    const isCertain = isPair && (this.#lines[this.#at + 2] ?? '').startsWith('@@')
    const isName = isCertain && !/\s/.test(`${old}${renewed}`)
    const isBeforeHunks = this.#current?.closed !== false || this.#isInHeader()
    const isHeader = isPair ? fits || isName : fits && (next.startsWith('@@') || isBeforeHunks)
    if (!isHeader) return false
    const current = this.#current
    const isOpen = current !== undefined && !current.named && current.hunks.length === 0
    const section = isOpen ? current : this.#open(old, renewed)
    section.named = true
    if (section.action !== 'rename' && section.action !== 'copy') {
      if (old !== undefined) section.old = old
      if (renewed !== undefined) section.renewed = renewed
    }
    if (section.action === 'modify') {
      if (section.old === null) section.action = 'create'
      else if (section.renewed === null) section.action = 'delete'
    }
    if (isPair) this.#at += 1
    return true
  }

  #readEnvelope(line: string): boolean {
    const [, word = '', value = ''] = envelope.exec(line.slice(0, longestHeader)) ?? []
    const path = cleanPath(value)
    const current = this.#current
    const kind = word.toLowerCase()
    if (kind === 'end patch' && current) current.closed = true
    if (kind === 'end of file') Object.assign(current?.hunks.at(-1) ?? {}, { atEnd: true })
    if (kind === 'update file') this.#open(path, path)
    if (kind === 'add file') this.#open(null, path, 'create')
    if (kind === 'delete file') this.#open(path, null, 'delete')
    if (kind === 'move to' && current && path !== null)
      Object.assign(current, { renewed: path, action: 'rename' })
    return kind !== ''
  }

  /** Reads the lines that git puts between `diff --git` and the sides. */
  #readExtended(line: string): boolean {
    const section = this.#current
    if (!section) return false
    const [, action, side, path = ''] = /^(rename|copy) (from|to) (.+)$/.exec(line) ?? []
    if (action !== undefined) {
      section.action = action === 'copy' ? 'copy' : 'rename'
      section.moved[side === 'from' ? 'from' : 'to'] = cleanPath(path) ?? ''
    } else if (line.startsWith('new file mode')) {
      Object.assign(section, { action: 'create', old: null })
    } else if (line.startsWith('deleted file mode')) {
      Object.assign(section, { action: 'delete', renewed: null })
    } else if (/^(?:old|new) mode \d/.test(line)) {
      if (section.action === 'modify') section.action = 'mode'
    } else if (/^(?:GIT binary patch|Binary files )/.test(line)) section.action = 'binary'
    else return /^(?:index [0-9a-f]|(?:dis)?similarity index |Index: |={20,}$)/.test(line)
    return true
  }

  #openHunk(line: string): boolean {
    const header = line.slice(0, longestHeader)
    const match = numbered.exec(header)
    const range = match && {
      ...{ oldStart: Number(match[1]), oldCount: Number(match[2] ?? 1) },
      ...{ newStart: Number(match[3]), newCount: Number(match[4] ?? 1) },
    }
    const heading = (match?.[5] ?? header.replace(/^@@+|\s*@@+$/g, '')).trim()
    const section = this.#current ?? this.#open(undefined, undefined, 'modify', false)
    if (section.action === 'mode') section.action = 'modify'
    const last = section.hunks.at(-1)
    const headings = /^(?:\.{3}|…|[-+,\d\s]*)$/.test(heading) ? [] : [heading]
    // `@@ class A` above `@@ def b`: one place, named in two steps.
    if (last && last.lines.length === 0 && last.range === null) {
      last.headings.push(...headings)
      last.range = range
    } else section.hunks.push({ ...hunkOf(), headings, range })
    return true
  }

  #readBody(line: string): void {
    const section = this.#current ?? this.#open(undefined, undefined, 'modify', false)
    if (section.closed) return
    const hunk = section.hunks.at(-1)
    if (line.startsWith('\\')) {
      if (hunk) hunk.finalNewline = newlineAfter(hunk)
      return
    }
    if (hunk) {
      hunk.lines.push(hunkLine(line))
      return
    }
    const path = section.named ? null : pathOfHeader(line)
    if (path !== null) Object.assign(section, { old: path, renewed: path, named: true })
    else if (line.trim() !== '') section.hunks.push(hunkOf([hunkLine(line)]))
  }

  #open(
    old: Section['old'],
    renewed: Section['renewed'],
    action: Section['action'] = 'modify',
    named = true,
  ): Section {
    if (this.#current) this.#current.closed = true
    const section = { old, renewed, action, named, moved: {}, hunks: [], closed: false }
    this.sections.push(section)
    return section
  }

  get #current(): Section | undefined {
    return this.sections.at(-1)
  }

  #isInHeader(): boolean {
    const section = this.#current
    return section !== undefined && !section.closed && section.hunks.length === 0
  }
}

function newlineAfter({ lines, finalNewline }: OpenHunk): Hunk['finalNewline'] {
  const kind = lines.at(-1)?.kind
  if (kind === 'added') return finalNewline === 'add' ? 'keep' : 'remove'
  return kind === 'removed' ? 'add' : finalNewline
}

/** `--- old.sql` is a header; `--- why this is so` removes a comment. */
const isPlausible = (path: string | null): boolean =>
  path === null ||
  looksLikePath(path, 'labelled') ||
  looksLikePath(withoutPrefix(path, 'old'), 'marked')
