import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { canSay, commandOf, inFolder, type Language, type Move, readOutcomes } from './moves.ts'
import type { Stage } from './stage.ts'
import type { Played } from './tally.ts'

/** A test makes what is cleaned up, or taken out, after it lead somewhere else. */
interface Variation {
  readonly name: string
  /** In a folder of its own, with `web/node_modules`, `deep/place` and `one/file` shown in it. */
  readonly moves: readonly Move[]
  readonly collect?: string
  /** True where a tree of its own keeps the place: it is mounted there. */
  readonly mayBeRefused?: boolean
  /** True where a tested process without a tree of its own does it all by itself. */
  readonly isOwnDoing?: boolean
  /** True for paths too long to be measured: they end the run that makes them, so this variation has one to itself. */
  readonly isTooDeep?: boolean
}

/** What lies outside under the names that a clean-up removes, and must stay. */
const victims = [
  ...['node_modules/kept', '.executor-modules/kept', 'web/node_modules/kept', 'report'],
  'deep/node_modules/kept',
]
const emptyFolders = ['empty', 'one', 'place', '.executor-modules/node_modules']
const emptyFiles = ['file', 'node_modules/empty']

/** @param out the outside of this variation @param here the folder of this variation, on the host */
function variations(out: string, here: string): readonly Variation[] {
  const replaced = (path: string, aim: string): readonly Move[] => [
    ['move', path, `${path}-was`],
    ['link', aim, path],
  ]
  const swap = (path: string) =>
    `while :; do mv ${path} a; ln -s ${out} ${path}; : >swapped; rm ${path}; mv a ${path}; done`
  return [
    { name: 'the parent is renamed, a link in its place', moves: replaced('web', out) },
    { name: 'the parent, by a relative link', moves: replaced('web', relative(here, out)) },
    {
      name: 'the parent, by a link with ..',
      moves: replaced('web', `../../../../../../../..${out}`),
    },
    {
      name: 'the parent, by a link through /proc',
      moves: replaced('web', `/proc/self/root${out}`),
    },
    {
      name: 'the parent, by a chain of links',
      moves: [
        ['move', 'web', 'was'],
        ['link', out, 'b'],
        ['link', 'b', 'a'],
        ['link', 'a', 'web'],
      ],
    },
    {
      name: 'the parent, by one of another name',
      moves: [
        ['move', 'web', 'was'],
        ['folder', 'in'],
        ['link', out, 'in/web'],
        ['link', 'in/web', 'web'],
      ],
    },
    { name: 'the parent of a folder', moves: replaced('deep', out) },
    {
      name: 'the parent of a folder, where that is a file',
      moves: [...replaced('deep', out), ['write', 'deep-was/x', 'x']],
    },
    { name: 'the parent of a file', moves: replaced('one', out) },
    {
      name: 'all parents',
      moves: [...replaced('web', out), ...replaced('deep', out), ...replaced('one', out)],
    },
    {
      name: 'the place of the packages',
      moves: replaced('web/node_modules', join(out, 'node_modules')),
    },
    {
      name: 'where the packages are shown',
      moves: [
        ['remove', 'web/.executor-modules'],
        ['link', join(out, '.executor-modules'), 'web/.executor-modules'],
      ],
      mayBeRefused: true,
    },
    {
      name: 'where the packages are shown, by another name',
      moves: replaced('web/.executor-modules', join(out, '.executor-modules')),
    },
    {
      name: 'a link among the packages',
      moves: [
        ['link', out, 'web/node_modules/far'],
        ['folder', 'web/node_modules/d'],
        ['link', out, 'web/node_modules/d/far'],
      ],
    },
    {
      name: 'a hard link among the packages',
      moves: [['hard', join(out, 'report'), 'web/node_modules/same']],
      mayBeRefused: true,
    },
    {
      name: 'a folder is moved in',
      moves: [
        ['folder', 'brought/d'],
        ['link', out, 'brought/d/far'],
        ['move', 'brought', 'web/node_modules/brought'],
      ],
    },
    {
      name: 'a folder of the host is moved in',
      moves: [['move', join(out, 'web'), 'web/node_modules/host']],
      mayBeRefused: true,
      isOwnDoing: true,
    },
    {
      name: 'folders that may not be read',
      moves: [
        ['folder', 'web/node_modules/d/e'],
        ['link', out, 'web/node_modules/d/e/far'],
        ['mode', 'web/node_modules/d', '000'],
      ],
    },
    {
      name: 'names that are options, or lines',
      moves: [
        ['folder', 'web/node_modules/-rf'],
        ['link', out, 'web/node_modules/-rf/..x'],
        ['link', out, 'web/node_modules/a\nb'],
        ['link', out, 'web/node_modules/$(rm -rf *)'],
      ],
    },
    {
      name: 'what is shown is written over',
      moves: [['write', 'web/.executor-modules/node_modules/pkg/index', 'x']],
      mayBeRefused: true,
      isOwnDoing: true,
    },
    {
      name: 'a link that swaps while it is cleaned up',
      moves: [
        ['daemon', swap('web')],
        ['run', waitFor('swapped')],
      ],
    },
    {
      name: 'a place that swaps while it is cleaned up',
      moves: [
        ['daemon', swap('web/node_modules')],
        ['run', waitFor('swapped')],
      ],
    },
    {
      name: 'a collected file is a link',
      moves: [['link', join(out, 'report'), 'report']],
      collect: 'report',
    },
    {
      name: 'a collected file is a relative link',
      moves: [['link', relative(here, join(out, 'report')), 'report']],
      collect: 'report',
    },
    {
      name: 'a collected file is below a link',
      moves: [['link', out, 'results']],
      collect: 'results/report',
    },
    {
      name: 'a collected file, its parent renamed',
      moves: [['folder', 'results'], ['write', 'results/report', 'x'], ...replaced('results', out)],
      collect: 'results/report',
    },
    {
      name: 'a collected file is a hard link',
      moves: [['hard', join(out, 'report'), 'report']],
      collect: 'report',
      mayBeRefused: true,
      isOwnDoing: true,
    },
    {
      name: 'a collected file is a folder of links',
      moves: [
        ['folder', 'report/d'],
        ['link', out, 'report/d/far'],
      ],
      collect: 'report',
    },
    { name: 'a collected file is a pipe', moves: [['fifo', 'report']], collect: 'report' },
    {
      name: 'a collected file is a link to a device',
      moves: [['link', '/dev/zero', 'report']],
      collect: 'report',
    },
    {
      name: 'a collected file is a link to itself',
      moves: [['link', 'report', 'report']],
      collect: 'report',
    },
    {
      name: 'a collected file that swaps',
      moves: [
        ['folder', 'results'],
        ['daemon', swap('results')],
        ['run', waitFor('swapped')],
      ],
      collect: 'results/report',
    },
    {
      name: 'a folder deeper than a path may lead',
      moves: [['run', deep('web/node_modules')]],
      isTooDeep: true,
    },
    {
      name: 'a collected file is a folder deeper than a path may lead',
      moves: [
        ['folder', 'report'],
        ['run', deep('report')],
      ],
      collect: 'report',
      isTooDeep: true,
    },
  ]
}

/** Thirty folders, each in the one before, with a link in the last. */
export const deep = (path: string): string =>
  `python3 -c "import os; os.chdir('${path}'); [(os.mkdir('0'*200), os.chdir('0'*200)) for _ in range(30)]; os.symlink('/', 'far')"`

const waitFor = (file: string): string => `timeout 20 sh -c 'while [ ! -e ${file} ]; do :; done'`

const shown = ['web/node_modules', 'deep/place', 'one/file']

/** A variation in its own folder; `out` is what must stay. */
interface Placed extends Variation {
  readonly own: string
  readonly out: string
}

/** Each variation in a folder of its own; all in one run, but for those that end theirs. */
export async function playCleanUp(stage: Stage, language: Language): Promise<readonly Played[]> {
  const folder = await stage.folder()
  const far = join(stage.outside, `clean-up-${language}`)
  const all = variations('', '')
    .flatMap((_, index) => {
      const [own, out] = [`c${index}`, join(far, `c${index}`)]
      const variation = variations(out, join(folder, own))[index]
      return variation === undefined ? [] : [{ ...variation, own, out }]
    })
    .filter(({ moves }) => canSay(language, moves))
  const together = all.filter(({ isTooDeep }) => !isTooDeep)
  const played = [...(await playPlaced(stage, language, folder, together))]
  for (const each of all.filter(({ isTooDeep }) => isTooDeep))
    played.push(...(await playPlaced(stage, language, await stage.folder(), [each])))
  return played
}

/** Plays these in one run. */
async function playPlaced(
  stage: Stage,
  language: Language,
  folder: string,
  all: readonly Placed[],
): Promise<readonly Played[]> {
  const { kind, sandbox, canary } = stage
  const far = join(stage.outside, `clean-up-${language}`)
  for (const { own, out } of all) {
    await makeVictims(out, canary)
    await makeInstalled(join(out, 'installed'))
    for (const place of shown) await mkdir(join(folder, own, dirname(place)), { recursive: true })
  }
  const before = await listAll(far)
  const mounts = all.flatMap(({ own, out }) =>
    shown.map((place) => ({
      ...{ from: join(out, 'installed', place.endsWith('file') ? 'file' : 'modules') },
      ...{ within: null, to: join(own, place) },
    })),
  )
  const collect = all.flatMap((each) => (each.collect ? [join(each.own, each.collect)] : []))
  const moves = all.flatMap((each) => each.moves.map((move) => inFolder(each.own, move)))
  const command = commandOf(language, moves)
  const run = await sandbox.run(stage.request(folder, { command, mounts, collect }))
  const after = await listAll(far)
  const outcomes = readOutcomes(run.stdout)
  let next = 0
  const played: Played[] = []
  for (const each of all) {
    const { name, own, out, moves: its, mayBeRefused, collect: taken } = each
    const { isOwnDoing = false, isTooDeep = false } = each
    const done = outcomes.slice(next, next + its.length)
    next += its.length
    const isDone =
      done.length === its.length &&
      done.every((one) => one?.did || (one !== undefined && mayBeRefused))
    const index = await readFile(join(out, 'installed/modules/pkg/index'), 'utf8').catch(() => '')
    const isSame = sameBelow(own, before, after) && index === 'installed'
    const isTaken =
      taken !== undefined && run.collected.get(join(own, taken))?.includes(canary) === true
    played.push({
      group: 'clean-up',
      name,
      kind,
      language,
      isTried: isDone || (isTooDeep && run.ended === 'created paths that are too long to measure'),
      isThrough: !isSame || isTaken,
      isOwnDoing,
    })
  }
  return played
}

async function makeInstalled(place: string): Promise<void> {
  await mkdir(join(place, 'modules/pkg'), { recursive: true })
  await writeFile(join(place, 'modules/pkg/index'), 'installed')
  await writeFile(join(place, 'file'), 'installed')
}

async function makeVictims(out: string, canary: string): Promise<void> {
  for (const path of emptyFolders) await mkdir(join(out, path), { recursive: true })
  for (const path of [...victims, ...emptyFiles]) {
    await mkdir(dirname(join(out, path)), { recursive: true })
    await writeFile(join(out, path), emptyFiles.includes(path) ? '' : canary)
  }
}

async function listAll(far: string): Promise<readonly string[]> {
  return (await readdir(far, { recursive: true })).toSorted()
}

function sameBelow(own: string, before: readonly string[], after: readonly string[]): boolean {
  const below = (all: readonly string[]) =>
    all.filter((path) => path.startsWith(`${own}/`)).join('\n')
  return below(before) === below(after)
}
