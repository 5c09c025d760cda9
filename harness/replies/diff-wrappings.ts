/** Diffs, in the forms of those who ask for them and with what models get wrong in them. */
import type { FileChange } from '../answer.ts'
import { hunksOf } from '../replay/write-answer.ts'
import { eachChange, fenced, type Wrapping } from './wrapping.ts'

const aider = 'https://aider.chat/docs/unified-diffs.html'
const cookbook = 'https://cookbook.openai.com/examples/gpt4-1_prompting_guide'

interface Hunk {
  readonly header: string
  readonly lines: readonly string[]
}

const sides = ({ path, before }: FileChange, prefixes = ['a/', 'b/']): string =>
  `--- ${before === null ? '/dev/null' : `${prefixes[0]}${path}`}\n+++ ${prefixes[1]}${path}\n`

const asIs = ({ header, lines }: Hunk): string => [header, ...lines, ''].join('\n')

const bodyOf = (change: FileChange, write: (hunk: Hunk) => string = asIs): string =>
  hunksOf(change).map(write).join('')

const diffOf = (change: FileChange, write?: (hunk: Hunk) => string): string =>
  sides(change) + bodyOf(change, write)

const each = (
  name: string,
  seen: string | null,
  write: (change: FileChange) => string,
): Wrapping => ({
  ...{ name, seen },
  write: eachChange((change) => `${fenced('diff', write(change))}\n`),
})

/** `null` where a file is deleted or its end changes: the envelope does not say that. */
function envelope(changes: readonly FileChange[]): string | null {
  const parts = changes.map((change) => {
    const { path, before, after } = change
    if (after === null) return `*** Delete File: ${path}\n`
    const body = hunksOf(change)
    if (body.some(({ lines }) => lines.some((line) => line.startsWith('\\')))) return null
    if (before !== null)
      return `*** Update File: ${path}\n${bodyOf(change, (hunk) => asIs({ ...hunk, header: '@@' }))}`
    return `*** Add File: ${path}\n${body.map(({ lines }) => `${lines.join('\n')}\n`).join('')}`
  })
  if (!parts.every((part) => part !== null)) return null
  return `*** Begin Patch\n${parts.join('')}*** End Patch\n`
}

const inEnvelope = (name: string, write: (patch: string) => string, seen = cookbook): Wrapping => ({
  ...{ name, seen },
  write(changes) {
    const patch = envelope(changes)
    return patch === null ? null : write(patch)
  },
})

const withoutSpace = (line: string): string => (line.startsWith(' ') ? line.slice(1) : line)

export const diffWrappings: readonly Wrapping[] = [
  each('diff: a/ and b/', aider, (change) => diffOf(change)),
  each('diff: no prefixes', aider, (change) => sides(change, ['', '']) + bodyOf(change)),
  each('diff: headers of git', null, (change) => {
    const { path, before } = change
    const mode = before === null ? 'new file mode 100644\n' : 'index 1234567..89abcde 100644\n'
    return `diff --git a/${path} b/${path}\n${mode}${diffOf(change)}`
  }),
  each('diff: @@ ... @@', aider, (change) =>
    diffOf(change, (hunk) => asIs({ ...hunk, header: '@@ ... @@' })),
  ),
  each('diff: wrong counts', null, (change) =>
    diffOf(change, (hunk) =>
      asIs({
        ...hunk,
        header: hunk.header.replace(/,(\d+)/g, (_, count) => `,${Number(count) + 2}`),
      }),
    ),
  ),
  each('diff: X for numbers', null, (change) =>
    diffOf(change, (hunk) => asIs({ ...hunk, header: '@@ X,X X,X @@' })),
  ),
  each('diff: no context sign', null, (change) =>
    diffOf(change, ({ header, lines }) => asIs({ header, lines: lines.map(withoutSpace) })),
  ),
  {
    ...{ name: 'diff: all files in one fence', seen: aider },
    write: (changes) =>
      changes.some(({ after }) => after === null)
        ? null
        : `The changes:\n\n${fenced('diff', changes.map((change) => diffOf(change)).join(''))}`,
  },
  {
    ...{ name: 'diff: no fence', seen: null },
    write: (changes) =>
      changes.some(({ after }) => after === null)
        ? null
        : changes.map((change) => diffOf(change)).join(''),
  },
  {
    ...{ name: 'diff: path above, no file headers', seen: aider },
    write: eachChange((change) =>
      change.before === null ? null : `${change.path}\n${fenced('diff', bodyOf(change))}\n`,
    ),
  },
  {
    ...{ name: 'diff: in JSON', seen: null },
    write: (changes) =>
      changes.some(({ after }) => after === null)
        ? null
        : JSON.stringify(changes.map((change) => ({ path: change.path, diff: diffOf(change) }))),
  },
  inEnvelope('patch: in an envelope', (patch) => patch),
  inEnvelope('patch: in a fence', (patch) => fenced('', patch)),
  inEnvelope('patch: fed to apply_patch', (patch) =>
    fenced('bash', `%%bash\napply_patch <<"EOF"\n${patch}EOF\n`),
  ),
  inEnvelope(
    'patch: as a call',
    (patch) => JSON.stringify({ name: 'apply_patch', arguments: { input: patch } }),
    cookbook,
  ),
]
