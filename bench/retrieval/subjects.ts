/**
 * Subjects of real commits as tasks: one parent, one to eight code files, at least four words, and no file named. The
 * same clones and the same seed draw the same subjects.
 */
import { git } from '../../harness/git.ts'
import { codeFile } from '../../packages/source/code/test-files.ts'
import { looksLikePath } from '../../packages/text/paths/check-path.ts'
import { createRandom } from '../statistics.ts'
import { findClone } from '../strategies/read-tree.ts'

/** Public repositories of more than 500 files, in five languages. */
export const repositories = [
  'scrapy/scrapy',
  'vuejs/core',
  'tokio-rs/tokio',
  'gohugoio/hugo',
  'rubocop/rubocop',
] as const

export interface Subject {
  readonly repository: string
  readonly clone: string
  readonly sha: string
  readonly parent: string
  readonly text: string
  /** The code files that the commit modifies. */
  readonly changed: readonly string[]
}

/** Commits older than these were made to another tree. */
const newest = 3_000
const leastWords = 4
const mostFiles = 8
const leastFiles = 500

/** @throws Error for a clone that is missing */
export async function drawSubjects(
  folder: string,
  seed: number,
  count: number,
): Promise<readonly Subject[]> {
  const random = createRandom(seed)
  const drawn: Subject[] = []
  for (const [index, repository] of repositories.entries()) {
    const clone = findClone(folder, repository)
    if (clone === null) throw new Error(`There is no clone of ${repository} in ${folder}.`)
    const wanted = Math.ceil((count - drawn.length) / (repositories.length - index))
    const candidates = [...(await readCandidates(repository, clone))]
    const taken: Subject[] = []
    while (taken.length < wanted && candidates.length > 0) {
      const [candidate] = candidates.splice(Math.floor(random() * candidates.length), 1)
      if (candidate !== undefined && (await isLarge(candidate))) taken.push(candidate)
    }
    // By age, so that an index that is kept has little to read.
    drawn.push(...taken.toSorted((a, b) => order(b) - order(a)))
  }
  return drawn
}

const places = new Map<string, number>()
const order = ({ sha }: Subject): number => places.get(sha) ?? 0

async function readCandidates(repository: string, clone: string): Promise<readonly Subject[]> {
  const log = await git(
    clone,
    ...['log', `--max-count=${newest}`, '--no-merges', '--no-renames', '--raw', '--no-abbrev'],
    ...['--format=%x01%H%x02%P%x02%s', 'HEAD'],
  )
  return log.split('\x01').flatMap((record, index) => {
    const [head = '', ...lines] = record.split('\n')
    const [sha = '', parents = '', text = ''] = head.split('\x02')
    if (parents === '' || parents.includes(' ') || !isProse(text)) return []
    const code = lines.flatMap((line) => {
      const [, status = '', path = ''] = /^:.* ([AMD])\t(.+)$/.exec(line) ?? []
      return codeFile.test(path) || path.endsWith('.vue') ? [{ status, path }] : []
    })
    const changed = code.filter(({ status }) => status === 'M').map(({ path }) => path)
    if (changed.length === 0 || code.length > mostFiles) return []
    places.set(sha, index)
    return [{ repository, clone, sha, parent: parents, text, changed }]
  })
}

function isProse(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word))
  const bare = words.map((word) => word.replace(/^[^\w./]+|[^\w/]+$/g, ''))
  const isNamed = bare.some((word) => /\w\/\w/.test(word) || looksLikePath(word, 'word'))
  return words.length >= leastWords && !isNamed
}

async function isLarge({ clone, parent }: Subject): Promise<boolean> {
  const listed = await git(clone, 'ls-tree', '-r', '--name-only', parent)
  return listed.split('\n').length > leastFiles
}
