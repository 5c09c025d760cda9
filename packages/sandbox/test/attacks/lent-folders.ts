import { realpath, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { canSay, commandOf, inFolder, type Language, type Move, readOutcomes } from './moves.ts'
import type { Stage } from './stage.ts'
import type { Played } from './tally.ts'

/** Code that runs while packages are installed makes what is shown later lead somewhere else. */
interface Variation {
  readonly name: string
  /** What of the entry is shown to later runs. */
  readonly shown: string
  /** In the entry, while it is filled. */
  readonly moves: readonly Move[]
  /** What becomes of the entry once it is kept, as a process that lived on would do it. */
  readonly after?: (entry: string) => Promise<unknown>
  /** What is read of the place where it is shown. */
  readonly reads?: string
  /** True where the link lies below what is shown: without a tree of its own, the tested process follows it itself. */
  readonly isBelow?: boolean
  /** True where the kernel refuses the move in a tree of its own. */
  readonly mayBeRefused?: boolean
}

/** What installers leave: pip's target, npm, yarn's plug'n'play, uv, Go, Cargo, Maven, Bundler, Composer. */
const layouts = [
  ...['packages', 'node_modules', 'web/app/node_modules', '.yarn/cache', '.venv/lib/python3'],
  ...['go/pkg/mod', 'vendor', '.m2/repository', 'vendor/bundle', 'cargo/registry'],
]

function variations(outside: string, entry: string): readonly Variation[] {
  const far = (path: string) => relative(dirname(join(entry, path)), outside)
  const kept: readonly Move[] = [
    ['folder', 'web/packages'],
    ['write', 'web/packages/index', 'x'],
  ]
  const secret = join(outside, 'secret')
  return [
    ...layouts.map((shown): Variation => {
      const moves: readonly Move[] = [
        ['folder', join(shown, '..')],
        ['link', outside, shown],
      ]
      return { name: `an absolute link at ${shown}`, shown, moves }
    }),
    { name: 'a relative link', shown: 'packages', moves: [['link', far('packages'), 'packages']] },
    {
      name: 'a relative link two folders down',
      shown: 'a/b/packages',
      moves: [
        ['folder', 'a/b'],
        ['link', far('a/b/packages'), 'a/b/packages'],
      ],
    },
    {
      name: 'a folder above is a link',
      shown: 'web/packages',
      moves: [['link', outside, 'web']],
    },
    {
      name: 'the parent is renamed, a link in its place',
      shown: 'web/packages',
      moves: [...kept, ['move', 'web', 'was'], ['link', outside, 'web']],
    },
    {
      name: 'a file is replaced by a link',
      shown: 'lock',
      reads: '',
      moves: [
        ['write', 'lock', 'x'],
        ['remove', 'lock'],
        ['link', secret, 'lock'],
      ],
    },
    {
      name: 'a folder is replaced by a link',
      shown: 'web/packages',
      moves: [...kept, ['remove', 'web/packages'], ['link', outside, 'web/packages']],
    },
    {
      name: 'a chain of links',
      shown: 'packages',
      moves: [
        ['link', outside, 'three'],
        ['link', 'three', 'two'],
        ['link', 'two', 'packages'],
      ],
    },
    {
      name: 'a link to a link to the folder above',
      shown: 'packages',
      reads: relative(join(entry, '..'), secret),
      moves: [
        ['link', '..', 'up'],
        ['link', 'up', 'packages'],
      ],
    },
    {
      name: 'a link through /proc',
      shown: 'packages',
      moves: [['link', `/proc/self/root${outside}`, 'packages']],
    },
    {
      name: 'a link to the root',
      shown: 'packages',
      reads: secret.slice(1),
      moves: [['link', '/', 'packages']],
    },
    {
      name: 'a link whose aim comes later',
      shown: 'packages',
      moves: [['link', join(entry, 'later'), 'packages']],
      after: async (done) => {
        await symlink(outside, join(entry, 'later')).catch(() => undefined)
        await symlink(outside, join(done, 'later')).catch(() => undefined)
      },
    },
    {
      name: 'a link that a process makes, and makes again',
      shown: 'web/packages',
      moves: [
        ...kept,
        [
          'daemon',
          `while :; do mv web/packages was; ln -s ${outside} web/packages; rm web/packages; mv was web/packages; done`,
        ],
      ],
    },
    {
      name: 'after the installation: the place itself',
      shown: 'web/packages',
      moves: kept,
      after: async (done) => {
        await rm(join(done, 'web/packages'), { recursive: true })
        await symlink(outside, join(done, 'web/packages'))
      },
    },
    {
      name: 'after the installation: the folder above',
      shown: 'web/packages',
      moves: kept,
      after: async (done) => {
        await rename(join(done, 'web'), join(done, 'was'))
        await symlink(outside, join(done, 'web'))
      },
    },
    {
      name: 'after the installation: the whole entry',
      shown: 'packages',
      moves: [
        ['folder', 'packages'],
        ['write', 'packages/index', 'x'],
      ],
      after: async (done) => {
        await rename(done, `${done}.was`)
        await symlink(outside, done)
      },
    },
    {
      name: 'a link below what is shown',
      shown: 'packages',
      reads: 'deep/far/secret',
      isBelow: true,
      moves: [
        ['folder', 'packages/deep'],
        ['link', outside, 'packages/deep/far'],
      ],
    },
    {
      name: 'a link in node_modules/.bin',
      shown: 'node_modules',
      reads: '.bin/tool',
      isBelow: true,
      moves: [
        ['folder', 'node_modules/.bin'],
        ['link', secret, 'node_modules/.bin/tool'],
      ],
    },
    {
      name: 'a package that is a link out of the packages',
      shown: 'node_modules',
      reads: 'far/secret',
      isBelow: true,
      moves: [
        ['folder', 'node_modules'],
        ['link', `${'../'.repeat(12)}${outside.slice(1)}`, 'node_modules/far'],
      ],
    },
    {
      name: 'a hard link to a file',
      shown: 'packages',
      reads: 'same',
      isBelow: true,
      mayBeRefused: true,
      moves: [
        ['folder', 'packages'],
        ['hard', secret, 'packages/same'],
      ],
    },
    {
      name: 'a pipe where packages were',
      shown: 'packages',
      reads: '',
      moves: [['fifo', 'packages']],
    },
  ]
}

/** Links of the commit itself, in what an installer is shown of it: there before anything ran. */
const committed = ['a file', 'a folder'] as const

export async function playLentFolders(
  stage: Stage,
  language: Language,
): Promise<readonly Played[]> {
  const { sandbox, outside, kind } = stage
  const lent = await stage.folder()
  const keyed = `attack-${language}`
  const { path: example } = await sandbox.dependencyCache(`${keyed}-0`)
  const all = variations(outside, example).filter(({ moves }) => canSay(language, moves))
  // Each has a folder of its own to work in, all of them one run.
  const inOwn = all.flatMap(({ moves }, index) =>
    moves.map((move): Move => inFolder(`v${index}`, move)),
  )
  const folders = all.map((_, index): Move => ['folder', `v${index}`])
  const command = commandOf(language, [...folders, ...inOwn])
  const installed = await sandbox.run(stage.request(lent, { command }))
  const outcomes = readOutcomes(installed.stdout)
  const played: Played[] = []
  let next = all.length
  for (const [index, variation] of all.entries()) {
    const own = outcomes.slice(next, next + variation.moves.length)
    next += variation.moves.length
    const isTried =
      own.length === variation.moves.length &&
      own.every((outcome) => outcome?.did || (variation.mayBeRefused && kind !== 'unsandboxed'))
    const isThrough = await keepAndRead(
      stage,
      language,
      `${keyed}-${index}`,
      variation,
      join(lent, `v${index}`),
    )
    const { name, isBelow: isOwnDoing = false } = variation
    played.push({ group: 'lent folders', name, kind, language, isTried, isThrough, isOwnDoing })
  }
  for (const what of committed) {
    const [project, folder] = [await stage.folder(), await stage.folder()]
    await symlink(what === 'a file' ? join(outside, 'secret') : outside, join(project, 'link'))
    const from = join(project, what === 'a file' ? 'link' : 'link/secret')
    const got = await readShown(
      stage,
      language,
      folder,
      { from, within: project, to: 'got' },
      'got',
    )
    played.push({
      group: 'lent folders',
      name: `a link of the commit: ${what}`,
      kind,
      language,
      isTried: true,
      isThrough: got,
    })
  }
  return played
}

/** The entry is kept and shown, as far as it is, and read. */
async function keepAndRead(
  stage: Stage,
  language: Language,
  key: string,
  { shown, after, reads = 'secret', isBelow = false }: Variation,
  made: string,
): Promise<boolean> {
  const { sandbox } = stage
  const { path } = await sandbox.dependencyCache(key)
  await rm(path, { recursive: true })
  await rename(made, path)
  const place = await realpath(join(path, shown)).catch(() => path)
  const isKept = await sandbox.completeCache(key, [shown])
  if (!isKept || !place.startsWith(path)) return isKept
  const entry = (await sandbox.dependencyCache(key)).path
  await after?.(entry)
  const mount = { from: join(entry, shown), within: entry, to: isBelow ? shown : 'got' }
  const folder = await stage.folder()
  return readShown(stage, language, folder, mount, join(mount.to, reads))
}

async function readShown(
  stage: Stage,
  language: Language,
  folder: string,
  mount: { readonly from: string; readonly within: string; readonly to: string },
  path: string,
): Promise<boolean> {
  const command = commandOf(language, [['read', path]])
  const run = await stage.sandbox.run(stage.request(folder, { command, mounts: [mount] }))
  return readOutcomes(run.stdout)[0]?.got.includes(stage.canary) === true
}
