import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inTemporaryFolder } from '../../files/files.ts'
import type { Mount } from '../folder.ts'
import { homeInOwnTree } from '../isolation.ts'
import type { SandboxRun } from '../port.ts'
import { openGate } from './gate.ts'
import type { Address, Ways } from './way.ts'

/** How a command in its own network reaches a gate: mounts, variables and a start command. */
export interface Entrance {
  readonly mounts: readonly Mount[]
  readonly env: Readonly<Record<string, string>>
  readonly start: readonly string[]
}

/** The operator's settings that go inside, without credentials. */
export interface Carried {
  readonly env?: Readonly<Record<string, string>>
  /** Files for the home inside, by path; `PORT` stands for the proxy's port. */
  readonly files?: Readonly<Record<string, string>>
  /** The text of `/.cargo/config.toml`, which a project's own file overrides. */
  readonly cargo?: string | undefined
}

/** The forwarder, as a source or bundled. */
const isSource = import.meta.url.endsWith('.ts')
const forwarder = new URL(
  isSource ? '../sandbox-forwarder.ts' : './sandbox-forwarder.mjs',
  import.meta.url,
)

/** The location of these files inside. */
const shownAt = '/run/executor'
const program = isSource ? 'forwarder.mts' : 'forwarder.mjs'

/** Waits for the gate, then becomes the command, whose end ends everything. */
const startScript = [
  'node=$1; ports=$2; shift 2',
  'mkfifo "$TMPDIR/.network" || exit 125',
  `"$node" --no-warnings ${shownAt}/${program} "$ports" >"$TMPDIR/.network" </dev/null &`,
  'read -r word <"$TMPDIR/.network" || exit 125',
  `rm -f "$TMPDIR/.network"; cp -R ${shownAt}/home/. "$HOME" && exec "$@"`,
].join('\n')

const usualPort = 3128

/**
 * Runs something that reaches only what `ways` allows, while the gate is open. Each `local` address
 * is available inside at the same port too, because some programs bypass the proxy for loopback.
 */
export function throughGate(
  { env, files = {}, cargo }: Carried,
  local: readonly Address[],
  ways: Ways,
  run: (entrance: Entrance) => Promise<SandboxRun>,
): Promise<SandboxRun & { readonly refused: readonly string[] }> {
  const ports = [...new Set(local.map((each) => each.port))]
  const port = ports.includes(usualPort) ? usualPort + 1 : usualPort
  // Only we can reach the gate outside; inside, another user can.
  return inTemporaryFolder('net', async (outside) => {
    const folder = join(outside, 'n')
    await mkdir(join(folder, 'home'), { recursive: true })
    await copyFile(fileURLToPath(forwarder), join(folder, program))
    for (const [path, text] of Object.entries(files)) {
      const place = join(folder, 'home', path)
      await mkdir(dirname(place), { recursive: true })
      await writeFile(place, text.replaceAll('PORT', String(port)))
    }
    const cargoFile = join(folder, 'cargo.toml')
    if (cargo !== undefined) await writeFile(cargoFile, cargo)
    await chmod(folder, 0o755)
    const relays = new Map(local.map((each) => [join(folder, String(each.port)), each]))
    const gate = await openGate(join(folder, 'proxy'), relays, ways)
    try {
      const listening = [
        `${port}=${shownAt}/proxy`,
        ...ports.map((each) => `${each}=${shownAt}/${each}`),
      ]
      const done = await run({
        mounts: [
          { from: folder, to: shownAt },
          { from: process.execPath, to: process.execPath },
          ...(cargo === undefined ? [] : [{ from: cargoFile, to: '/.cargo/config.toml' }]),
        ],
        env: { ...env, ...proxyVariables(port) },
        start: ['sh', '-c', startScript, 'network', process.execPath, listening.join(',')],
      })
      return { ...done, refused: [...gate.refused] }
    } finally {
      await gate.close()
    }
  })
}

/** Each installer's own proxy variable overrides the project's setting. */
function proxyVariables(port: number): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${port}`
  const names = [
    ...['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'],
    ...['npm_config_proxy', 'npm_config_https_proxy', 'YARN_HTTP_PROXY', 'YARN_HTTPS_PROXY'],
    ...['PIP_PROXY', 'CARGO_HTTP_PROXY'],
  ]
  const java = ['http', 'https'].map(
    (name) => `-D${name}.proxyHost=127.0.0.1 -D${name}.proxyPort=${port}`,
  )
  const options = java.join(' ')
  return {
    ...Object.fromEntries(names.map((name) => [name, url])),
    GRADLE_OPTS: options,
    // Java takes its home from the user database, not from the environment.
    MAVEN_OPTS: `${options} -Duser.home=${homeInOwnTree}`,
    NODE_USE_ENV_PROXY: '1',
  }
}
