/** Other agents: how each is started against a model of ours, and by which of its tools it works. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ScriptedToolCall } from '../packages/github-simulator/model/model-script.ts'

export const peerNames = ['codex', 'claude'] as const

export type PeerName = (typeof peerNames)[number]

export interface PeerProgram {
  /** Tools that it must offer to the model, or the script would call what is not there. */
  readonly needs: readonly string[]
  /** Puts its settings into a new home, and says with which variables it runs there. */
  readonly settle: (home: string, modelUrl: string) => Promise<Readonly<Record<string, string>>>
  readonly flags: (prompt: string) => readonly string[]
  /** The calls that write files of the repository, as few as the program can do with. */
  readonly write: (
    root: string,
    files: Readonly<Record<string, string>>,
  ) => readonly ScriptedToolCall[]
  readonly run: (command: string) => ScriptedToolCall
}

/** What would go out to the network meets a port where nobody listens. */
export const offline = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  ALL_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1',
}

/** A login shell would forget the given PATH, and run the tests with another Node. */
const profile = 'export PATH="$PEER_PATH"\n'

const endOfFile = 'END_OF_FILE'

const codex: PeerProgram = {
  needs: ['exec_command'],
  async settle(home, modelUrl) {
    const config = [
      'model = "scripted"',
      'model_provider = "bench"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[model_providers.bench]',
      'name = "bench"',
      `base_url = ${JSON.stringify(modelUrl)}`,
      'wire_api = "responses"',
      'env_key = "OPENAI_API_KEY"',
      'request_max_retries = 0',
      'stream_max_retries = 0',
    ]
    await mkdir(join(home, '.codex'))
    await writeFile(join(home, '.codex/config.toml'), `${config.join('\n')}\n`)
    await writeFile(join(home, '.profile'), profile)
    return { ...offline, CODEX_HOME: join(home, '.codex') }
  },
  flags: (prompt) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    prompt,
  ],
  write: (_, files) => [codex.run(Object.entries(files).map(writeByShell).join('\n'))],
  run: (cmd) => ({ name: 'exec_command', arguments: { cmd } }),
}

const writeByShell = ([path, text]: readonly [string, string]): string =>
  `mkdir -p ${dirname(path)} && cat > ${path} <<'${endOfFile}'\n${text}${endOfFile}`

const claude: PeerProgram = {
  needs: ['Write', 'Bash'],
  async settle(home, modelUrl) {
    await writeFile(join(home, '.profile'), profile)
    return {
      ...offline,
      ANTHROPIC_BASE_URL: new URL('/', modelUrl).origin,
      ANTHROPIC_API_KEY: 'sk-scripted-0123456789',
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // It refuses to do without questions as root unless it is told that nothing can be harmed.
      IS_SANDBOX: '1',
    }
  },
  flags: (prompt) => ['-p', prompt, '--permission-mode', 'bypassPermissions'],
  write: (root, files) =>
    Object.entries(files).map(([path, content]) => ({
      name: 'Write',
      arguments: { file_path: join(root, path), content },
    })),
  run: (command) => ({ name: 'Bash', arguments: { command } }),
}

export const peerPrograms: Readonly<Record<PeerName, PeerProgram>> = { codex, claude }
