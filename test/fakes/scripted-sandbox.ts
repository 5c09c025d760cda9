import type { Sandbox, SandboxRequest, SandboxRun } from '../../packages/sandbox/port.ts'

export interface ScriptedSandbox extends Sandbox {
  /** What was run, oldest first, without what only sets up the shell. */
  readonly commands: readonly string[]
}

/** Runs nothing: each command ends as the script says, and well where it says nothing. */
export function createScriptedSandbox(
  script: (command: string, request: SandboxRequest) => Partial<SandboxRun> = () => ({}),
): ScriptedSandbox {
  const commands: string[] = []
  const run = async (request: SandboxRequest): Promise<SandboxRun> => {
    const command = commandLine(request)
    commands.push(command)
    return {
      exitCode: 0,
      signal: null,
      timedOut: false,
      stdout: '',
      stderr: '',
      collected: new Map(),
      seconds: 0.5,
      sandbox: 'bubblewrap',
      ...script(command, request),
    }
  }
  return {
    commands,
    ability: async () => ({
      kind: 'bubblewrap',
      network: 'none',
      reason: '',
    }),
    installNetwork: async () => 'registries',
    run,
    runReaching: async (request) => ({
      ...(await run(request)),
      ...{ refused: [], reached: 'allowed' },
    }),
    prepare: run,
    has: async () => true,
    dependencyCache: async (key) => ({ path: `/memory/cache/${key}`, ready: true }),
    completeCache: async () => true,
    installed: async () => null,
  }
}

function commandLine({ command }: SandboxRequest): string {
  if ('argv' in command) {
    const [shell, flag, , ...given] = command.argv
    // Programs are looked for by a line of ours.
    return (shell === 'sh' && flag === '-c' ? given.slice(1) : command.argv).join(' ')
  }
  return command.shell.replace(/^export PATH="[^"]*"; /, '')
}

interface TapTest {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly error: string
}

/** What `node --test` reports: so many tests pass, and these fail. */
export function tapReport(passed: number, failed: readonly TapTest[] = []): string {
  const good = Array.from({ length: passed }, (_, index) => `ok ${index + 1} - works ${index + 1}`)
  const bad = failed.map(({ name, file, line, error }, index) =>
    [
      `not ok ${passed + index + 1} - ${name}`,
      '  ---',
      "  type: 'test'",
      `  location: '${file}:${line}:1'`,
      "  failureType: 'testCodeFailure'",
      `  error: '${error}'`,
      "  code: 'ERR_ASSERTION'",
      "  name: 'AssertionError'",
      '  ...',
    ].join('\n'),
  )
  return `${['TAP version 13', ...good, ...bad, `1..${passed + failed.length}`].join('\n')}\n`
}
