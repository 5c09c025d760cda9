import { looksLikePath } from '../../../text/paths/looks-like-path.ts'
import { pathOfHeader } from '../find-path.ts'
import { cleanPath, gitPaths, withoutPrefix } from './diff-paths.ts'
import { countsRight, type Hunk, type HunkLine, hunkLine, type Range } from './hunk.ts'

/**
 * What a diff says about one file, as written. A path is `null` where it says `/dev/null`, `undefined` where nothing.
 */
export interface FileDiff {
  readonly old: string | null | undefined
  readonly renewed: string | null | undefined
  readonly action:
    | 'modify'
    | 'create'
    | 'delete'
    | 'rename'
    | 'copy'
    | 'binary'
    | 'mode'
    | 'half_rename'
  readonly hunks: readonly Hunk[]
  /** False when an envelope or right counts show that the last hunk goes on. */
  readonly closed: boolean
}

interface Section {
  old: string | null | undefined
  renewed: string | null | undefined
  action: FileDiff['action']
  /** The paths came from `---`, `+++` or an envelope, not only from `diff --git`. */
  named: boolean
  /** What `rename from` and `rename to` say. */
  readonly moved: { from?: string; to?: string }
  readonly hunks: OpenHunk[]
  closed: boolean
}

interface OpenHunk {
  headings: string[]
  lines: HunkLine[]
  atEnd: boolean
  finalNewline: Hunk['finalNewline']
  /** `null` for a bare `@@`. */
  range: Range | null
}

/**
 * Reads unified diffs, git's diffs and `*** Begin Patch` envelopes, one after the other and with
 * whatever models leave out: counts, numbers, headers, leading spaces. Linear; never throws.
 */
export function parseDiff(
  lines: readonly string[],
  doubtful: readonly string[] = [],
): readonly FileDiff[] {
  const reader = new DiffReader(lines)
  reader.readAll()
  const sections = reader.sections.filter(isAboutAFile)
  return sections.map((section, index) => {
    const isLast = index === sections.length - 1
    return {
      ...sidesOf(section),
      closed: section.closed || (isLast && hasRightCounts(section.hunks.at(-1))),
      hunks: section.hunks.map(({ range, headings, lines, atEnd, finalNewline }, at) => {
        const isLastHunk = isLast && !section.closed && at === section.hunks.length - 1
        const tail = isLastHunk ? doubtful.map(hunkLine) : []
        return { range, headings, lines, atEnd, finalNewline, doubtful: tail }
      }),
    }
  })
}

function sidesOf({
  old,
  renewed,
  action,
  moved,
  hunks,
}: Section): Pick<FileDiff, 'old' | 'renewed' | 'action'> {
  if (moved.from === undefined && moved.to === undefined) {
    return isAllNew(hunks) ? { old: null, renewed, action: 'create' } : { old, renewed, action }
  }
  return moved.from === undefined || moved.to === undefined
    ? { old: moved.from ?? moved.to, renewed: moved.from ?? moved.to, action: 'half_rename' }
    : { old: moved.from, renewed: moved.to, action }
}

/** `@@ -0,0 +1,3 @@` over lines of which none has a sign: all of them are the file. */
function isAllNew([hunk, ...others]: readonly OpenHunk[]): boolean {
  const isNew = hunk?.range?.oldCount === 0 && others.length === 0
  return isNew && hunk.lines.length > 0 && hunk.lines.every(({ kind }) => kind === 'context')
}

function isAboutAFile({ hunks, action, named }: Section): boolean {
  return hunks.length > 0 || action !== 'modify' || named
}

function hasRightCounts(hunk: OpenHunk | undefined): boolean {
  return hunk !== undefined && countsRight(hunk)
}

/** What is longer is cut: it is no header. */
const longestHeader = 2_800
const numbered = /^@@+\s*-(\d+)(?:,(\d+))?\s+\+(\d+)(?:,(\d+))?\s*(?:@@+)?(.*)$/
const envelope =
  /^\*\*\*\s+(Begin Patch|End Patch|Update File|Add File|Delete File|Move to|End of File)\b:?\s*(.*?)\s*(?:\*\*\*)?$/i

class DiffReader {
  readonly sections: Section[] = []
  private readonly lines: readonly string[]
  private at = 0

  constructor(lines: readonly string[]) {
    this.lines = lines
  }

  readAll(): void {
    while (this.at < this.lines.length) {
      const line = this.lines[this.at] ?? ''
      if (!this.readHeader(line)) this.readBody(line)
      this.at += 1
    }
  }

  /** True when the line was a header, of a file or of a hunk. */
  private readHeader(line: string): boolean {
    if (line.startsWith('@@')) return this.openHunk(line)
    if (line.startsWith('***')) return this.readEnvelope(line)
    if (line.startsWith('diff --git ')) {
      const paths = gitPaths(line)
      this.open(paths?.old, paths?.renewed, false)
      return true
    }
    if (line.startsWith('--- ') || line.startsWith('+++ ')) return this.readSides(line)
    return this.isInHeader() && this.readExtended(line)
  }

  private readSides(line: string): boolean {
    const next = this.lines[this.at + 1] ?? ''
    const isPair = line.startsWith('---') && next.startsWith('+++ ')
    const old = line.startsWith('---') ? cleanPath(line.slice(4)) : undefined
    const renewed =
      isPair || old === undefined ? cleanPath((isPair ? next : line).slice(4)) : undefined
    const fits = [old, renewed].every((path) => path === undefined || isPlausible(path))
    const isCertain = isPair && (this.lines[this.at + 2] ?? '').startsWith('@@')
    const isName = isCertain && !/\s/.test(`${old}${renewed}`)
    const isHeader = isPair
      ? fits || isName
      : fits && (next.startsWith('@@') || this.isBeforeHunks())
    if (!isHeader) return false
    const current = this.sections.at(-1)
    if (current && !current.named && current.hunks.length === 0) {
      const isMoved = current.action === 'rename' || current.action === 'copy'
      if (old !== undefined && !isMoved) current.old = old
      if (renewed !== undefined && !isMoved) current.renewed = renewed
      current.named = true
    } else this.open(old, renewed, true)
    const section = this.sections.at(-1)
    if (section?.action === 'modify') {
      if (section.old === null) section.action = 'create'
      else if (section.renewed === null) section.action = 'delete'
    }
    if (isPair) this.at += 1
    return true
  }

  private readEnvelope(line: string): boolean {
    const [, word = '', value = ''] = envelope.exec(line.slice(0, longestHeader)) ?? []
    const path = cleanPath(value)
    switch (word.toLowerCase()) {
      case 'begin patch':
        return true
      case 'end patch':
        this.close()
        return true
      case 'end of file': {
        const hunk = this.sections.at(-1)?.hunks.at(-1)
        if (hunk) hunk.atEnd = true
        return true
      }
      case 'update file':
        this.open(path, path, true)
        return true
      case 'add file':
        this.open(null, path, true).action = 'create'
        return true
      case 'delete file':
        this.open(path, null, true).action = 'delete'
        return true
      case 'move to': {
        const section = this.sections.at(-1)
        if (section && path !== null) Object.assign(section, { renewed: path, action: 'rename' })
        return true
      }
      default:
        return false
    }
  }

  /** The lines git puts between `diff --git` and the sides. */
  private readExtended(line: string): boolean {
    const section = this.sections.at(-1)
    if (!section) return false
    const moved = /^(rename|copy) (from|to) (.+)$/.exec(line)
    if (moved) {
      section.action = moved[1] === 'copy' ? 'copy' : 'rename'
      section.moved[moved[2] === 'from' ? 'from' : 'to'] = cleanPath(moved[3] ?? '') ?? ''
      return true
    }
    if (line.startsWith('new file mode')) this.become('create')
    else if (line.startsWith('deleted file mode')) this.become('delete')
    else if (/^(?:old|new) mode \d/.test(line))
      this.become(section.action === 'modify' ? 'mode' : section.action)
    else if (/^(?:GIT binary patch|Binary files )/.test(line)) this.become('binary')
    else return /^(?:index [0-9a-f]|(?:dis)?similarity index |Index: |={20,}$)/.test(line)
    return true
  }

  private become(action: FileDiff['action']): void {
    const section = this.sections.at(-1)
    if (!section) return
    section.action = action
    if (action === 'create') section.old = null
    if (action === 'delete') section.renewed = null
  }

  private openHunk(line: string): boolean {
    const header = line.slice(0, longestHeader)
    const match = numbered.exec(header)
    const range = match && {
      ...{ oldStart: Number(match[1]), oldCount: Number(match[2] ?? 1) },
      ...{ newStart: Number(match[3]), newCount: Number(match[4] ?? 1) },
    }
    const heading = (
      match ? (match[5] ?? '') : header.replace(/^@@+/, '').replace(/\s*@@+$/, '')
    ).trim()
    const section = this.sections.at(-1) ?? this.open(undefined, undefined, false)
    if (section.action === 'mode') section.action = 'modify'
    const last = section.hunks.at(-1)
    const headings = /^(?:\.{3}|…|[-+,\d\s]*)$/.test(heading) ? [] : [heading]
    // `@@ class A` above `@@ def b`: one place, named in two steps.
    if (last && last.lines.length === 0 && last.range === null) {
      last.headings.push(...headings)
      last.range = range
    } else section.hunks.push({ ...emptyHunk(), headings, range })
    return true
  }

  private readBody(line: string): void {
    const section = this.sections.at(-1) ?? this.open(undefined, undefined, false)
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
    else if (line.trim() !== '') section.hunks.push({ ...emptyHunk(), lines: [hunkLine(line)] })
  }

  private open(old: Section['old'], renewed: Section['renewed'], named: boolean): Section {
    const section: Section = {
      old,
      renewed,
      action: 'modify',
      named,
      moved: {},
      hunks: [],
      closed: false,
    }
    this.close()
    this.sections.push(section)
    return section
  }

  private close(): void {
    const section = this.sections.at(-1)
    if (section) section.closed = true
  }

  private isBeforeHunks(): boolean {
    return this.sections.at(-1)?.closed !== false || this.isInHeader()
  }

  private isInHeader(): boolean {
    const section = this.sections.at(-1)
    return section !== undefined && !section.closed && section.hunks.length === 0
  }
}

function emptyHunk(): OpenHunk {
  return { headings: [], lines: [], atEnd: false, finalNewline: 'keep', range: null }
}

function newlineAfter({ lines, finalNewline }: OpenHunk): Hunk['finalNewline'] {
  const kind = lines.at(-1)?.kind
  if (kind === 'added') return finalNewline === 'add' ? 'keep' : 'remove'
  return kind === 'removed' ? 'add' : finalNewline
}

/** `--- old.sql` is a header, `--- why this is so` the removal of a comment. */
function isPlausible(path: string | null): boolean {
  return (
    path === null ||
    looksLikePath(path, 'labelled') ||
    looksLikePath(withoutPrefix(path, 'old'), 'marked')
  )
}
