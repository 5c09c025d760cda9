import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { canSay, commandOf, type Language, type Move, readOutcomes } from './moves.ts'
import type { Stage } from './stage.ts'
import type { Played } from './tally.ts'

/** Something a tested program does by itself. */
interface Probe {
  readonly group: 'reading' | 'reaching' | 'writing'
  readonly name: string
  readonly moves: readonly Move[]
  /** Not every machine lets it begin: it is left out where it does not get through without a sandbox either. */
  readonly needs?: 'root' | 'this machine'
  /** True where it is not the sandbox that holds it, but what every command is given. */
  readonly isOurs?: boolean
  /** True where it got through: by what its last move was given, or by what has become of the host. */
  readonly isThrough: (got: string) => boolean | Promise<boolean>
}

/** What every host has, and no test needs. */
const ownFiles = [
  '/etc/shadow',
  '/etc/hostname',
  '/var/lib/dpkg/status',
  '/etc/ssl/private/ssl-cert-snakeoil.key',
]

function readings(stage: Stage, mine: string): readonly Probe[] {
  const { outside, checkout, canary, planted } = stage
  const secret = join(outside, 'secret')
  const seen = (name: string, ...moves: Move[]): Probe => ({
    ...{ group: 'reading', name, moves },
    isThrough: (got) => got.includes(canary),
  })
  const anything = (name: string, ...moves: Move[]): Probe => ({
    ...{ group: 'reading', name, moves },
    isThrough: (got) => got.length > 0,
  })
  const up = `${'../'.repeat(12)}${outside.slice(1)}/secret`
  const decoy = stage.decoy().pid ?? 0
  const [major, minor] = [(statSync('/').dev >> 8) & 0xfff, statSync('/').dev & 0xff]
  return [
    seen('a file beside the folder', ['read', secret]),
    seen('a file beside the folder, by ..', ['read', up]),
    seen('a file, through a link', ['link', secret, `${mine}/link`], ['read', `${mine}/link`]),
    seen(
      'a folder, through a link',
      ['link', outside, `${mine}/far`],
      ['read', `${mine}/far/secret`],
    ),
    seen(
      'a folder, through a link to a link',
      ['link', 'two', `${mine}/one`],
      ['link', dirname(outside), `${mine}/two`],
      ['read', `${mine}/one/${basename(outside)}/secret`],
    ),
    seen('a file, by a hard link', ['hard', secret, `${mine}/same`], ['read', `${mine}/same`]),
    seen('through /proc/self/root', ['read', `/proc/self/root${secret}`]),
    { ...seen('through /proc/1/root', ['read', `/proc/1/root${secret}`]), needs: 'this machine' },
    seen('through the directory of another process', ['read', `/proc/${decoy}/cwd/secret`]),
    seen('the environment of another process', ['read', `/proc/${decoy}/environ`]),
    seen('the environment of any process', [
      'run',
      `cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep ${canary}`,
    ]),
    anything('the memory map of another process', ['read', `/proc/${decoy}/maps`]),
    seen('the git directory of the working copy', ['read', join(checkout, '.git/config')]),
    seen('the state of the run', ['read', join(checkout, '.executor/state.json')]),
    {
      ...seen('secrets in the environment it is given', ['run', `env | grep ${canary}`]),
      isOurs: true,
    },
    {
      ...seen('the tree that was there before', ['read', `/.old${secret}`]),
      needs: 'this machine',
    },
    seen('as root of a namespace of its own', ['run', `unshare -Urm cat ${secret}`]),
    seen(
      'from an archive with a hard link',
      [
        'run',
        `cd ${mine} && mkdir u && (cd u && : >secret && ln secret hard && tar -cf ../u.tar --transform 's,^secret,${secret.slice(1)},RSh' secret hard)`,
      ],
      [
        'run',
        `cd ${mine} && mkdir v && tar -C v -xPf u.tar 2>&1; rm -rf v/x; ln ${secret} v/x && cat v/x`,
      ],
    ),
    seen('shared memory', ['read', `/dev/shm/${basename(outside)}`]),
    {
      ...anything('a disk by its numbers', [
        'run',
        `mknod ${mine}/disk b ${major} ${minor} && head -c 16 ${mine}/disk`,
      ]),
      needs: 'this machine',
    },
    {
      ...anything('messages of the kernel', ['run', 'timeout 1 dd if=/dev/kmsg bs=8k count=1']),
      needs: 'root',
    },
    {
      ...anything('what only root may read of /proc', ['read', '/proc/vmallocinfo']),
      needs: 'root',
    },
    ...planted.flatMap((file) => {
      const place = dirname(dirname(file)).replace(homedir(), 'the home')
      return [
        seen(`a file in ${place}`, ['read', file]),
        seen(`a list of ${place}`, ['list', dirname(file)]),
        seen(
          `a file in ${place}, through a link`,
          ['link', dirname(file), `${mine}/to-${basename(file)}-${place.replaceAll('/', '-')}`],
          ['read', `${mine}/to-${basename(file)}-${place.replaceAll('/', '-')}/${basename(file)}`],
        ),
      ]
    }),
    ...ownFiles.map((file) => ({
      ...anything(file, ['read', file]),
      needs: 'this machine' as const,
    })),
  ]
}

function reaches({ sockets, address, canary, ...stage }: Stage): readonly Probe[] {
  const port = String(sockets.port)
  const answered = (name: string, ...moves: Move[]): Probe => ({
    ...{ group: 'reaching', name, moves },
    isThrough: (got) => got.includes(canary),
  })
  const victim = stage.decoy()
  return [
    answered('the loopback', ['tcp', '127.0.0.1', port]),
    answered('the loopback of IPv6', ['tcp', '::1', port]),
    answered('any address', ['tcp', '0.0.0.0', port]),
    answered('another address of the loopback', ['tcp', '127.1.2.3', port]),
    answered('the address of the machine', ['tcp', address ?? '192.0.2.1', port]),
    ...sockets.unix.flatMap((path) => [
      answered(`a socket in ${dirname(dirname(path))}`, ['unix', path]),
      answered(`a socket in ${dirname(dirname(path))}, through /proc`, [
        'unix',
        `/proc/self/root${path}`,
      ]),
    ]),
    answered('an abstract socket', ['abstract', sockets.abstract]),
    {
      ...{ group: 'reaching', name: 'a process, by a signal' },
      moves: [['signal', String(victim.pid)]],
      isThrough: async () => {
        if (victim.signalCode === null) await new Promise((resolve) => setImmediate(resolve))
        return hasEnded(victim.pid)
      },
    },
    ...['sys/kernel/core_pattern', 'sys/vm/drop_caches', 'irq/default_smp_affinity'].map(
      (name): Probe => ({
        ...{ group: 'reaching', name: `the kernel, by /proc/${name}`, needs: 'root' },
        moves: [
          ['open', `/proc/${name}`],
          ['run', `test -w /proc/${name} && echo open`],
        ],
        isThrough: (got) => got !== '',
      }),
    ),
  ]
}

/** Dead, or waiting to be read as dead by us. */
function hasEnded(pid: number | undefined): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true
  }
}

function writings({ outside }: Stage, mine: string): readonly Probe[] {
  const name = basename(mine)
  const appears = (what: string, file: string, ...moves: Move[]): Probe => ({
    ...{ group: 'writing', name: what, moves },
    isThrough: async () => {
      const isThere = existsSync(file)
      await rm(file, { force: true })
      return isThere
    },
  })
  const own = (file: string) => join(outside, mine, file)
  const changes = (what: string, file: string, ...moves: Move[]): Probe => ({
    ...{ group: 'writing', name: what, moves },
    isThrough: () => {
      try {
        return (
          readFileSync(own(file), 'utf8') !== 'before' || (statSync(own(file)).mode & 0o7) === 0o7
        )
      } catch {
        return true
      }
    },
  })
  const places: readonly (readonly [string, string, Probe['needs']?])[] = [
    ['the home', homedir()],
    ['the tools', dirname(process.execPath), 'this machine'],
    ['shared memory', '/dev/shm'],
    ['/var/tmp', '/var/tmp'],
    ...['/', '/etc', '/usr', '/usr/local/bin', '/var/spool', '/run', '/srv'].map(
      (place) => [place, place, 'root'] as const,
    ),
  ]
  return [
    ...places.map(([place, path, needs]) => ({
      ...appears(`a file in ${place}`, join(path, `executor-attack-${name}`), [
        'write',
        join(path, `executor-attack-${name}`),
        'x',
      ]),
      ...(needs === undefined ? {} : { needs }),
    })),
    {
      ...appears('a file in /usr, made writable before', `/usr/executor-attack-again-${name}`, [
        'run',
        `mount -o remount,bind,rw /usr; : >/usr/executor-attack-again-${name}`,
      ]),
      needs: 'root',
    },
    appears('a file beside the folder', own('new'), ['write', own('new'), 'x']),
    appears(
      'a file, through a link',
      own('linked'),
      ['link', own('linked'), `${mine}/w`],
      ['write', `${mine}/w`, 'x'],
    ),
    appears(
      'a file, below a link',
      own('below'),
      ['link', own('.'), `${mine}/b`],
      ['write', `${mine}/b/below`, 'x'],
    ),
    appears('a file, from a tar archive with ..', own('tar'), [
      'run',
      `cd ${mine} && echo x >tar && tar -cPf up.tar --transform 's,^,${'../'.repeat(12)}${own('.').slice(1)}/,' tar && tar -xPf up.tar`,
    ]),
    appears('a file, from a tar archive through its link', own('through'), [
      'run',
      `cd ${mine} && mkdir t && ln -s ${own('.')} t/l && tar -cf l.tar -C t l && rm t/l && mkdir t/l && echo x >t/l/through && tar -rf l.tar -C t l/through && mkdir o && tar -C o -xPf l.tar; ln -sfn ${own('.')} o/l2 && cp t/l/through o/l2/through`,
    ]),
    appears('a file, from a zip archive with ..', own('zip'), [
      'run',
      `cd ${mine} && python3 -c "import zipfile;z=zipfile.ZipFile('up.zip','w');z.writestr('${'../'.repeat(12)}${own('zip').slice(1)}','x');z.close();n=zipfile.ZipFile('up.zip');i=n.namelist()[0];open(i,'wb').write(n.read(i))"`,
    ]),
    changes('over a file', 'over', ['write', own('over'), 'x']),
    changes(
      'over a file, by a hard link',
      'hard',
      ['hard', own('hard'), `${mine}/h`],
      ['write', `${mine}/h`, 'x'],
    ),
    changes('the mode of a file', 'mode', ['mode', own('mode'), '777']),
    changes('a file is removed', 'gone', ['remove', own('gone')]),
    changes('a file is moved', 'moved', ['move', own('moved'), `${mine}/m`]),
    changes('a folder is removed', 'deep/kept', ['remove', own('deep')]),
    changes('a folder is renamed', 'named/kept', ['move', own('named'), own('other')]),
  ]
}

const victims = ['over', 'hard', 'mode', 'gone', 'moved', 'deep/kept', 'named/kept']

/** Every probe in one run. */
export async function playProbes(stage: Stage, language: Language): Promise<readonly Played[]> {
  const mine = `probes-${language}`
  for (const victim of victims) {
    const file = join(stage.outside, mine, victim)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'before')
  }
  const shared = join('/dev/shm', basename(stage.outside))
  await writeFile(shared, stage.canary)
  const probes = [...readings(stage, mine), ...reaches(stage), ...writings(stage, mine)].filter(
    ({ moves }) => canSay(language, moves),
  )
  const begin: Move = ['folder', mine]
  const folder = await stage.folder()
  const command = commandOf(language, [begin, ...probes.flatMap(({ moves }) => moves)])
  const run = await stage.sandbox.run(stage.request(folder, { command }))
  const outcomes = readOutcomes(run.stdout)
  await rm(shared)
  let next = 1
  const played: Played[] = []
  for (const { group, name, moves, needs, isOurs = false, isThrough } of probes) {
    next += moves.length
    const last = outcomes[next - 1]
    const through = await isThrough(last?.got ?? '')
    played.push({
      group,
      name,
      language,
      kind: stage.kind,
      isTried: last !== undefined,
      isThrough: through,
      isOwnDoing: !isOurs,
      mayLack: needs === 'this machine' || (needs === 'root' && process.getuid?.() !== 0),
    })
  }
  return played
}
