import type { GitRun } from './git.ts'

/** A repository that git reaches over HTTP. The token is asked for anew for every process. */
export interface NetworkRemote {
  readonly url: string
  readonly token: (() => Promise<string> | string) | null
}

/** The token, in the environment of one process: not in its arguments, and never in a file. */
export async function withToken({
  token,
}: NetworkRemote): Promise<Readonly<Record<string, string>>> {
  if (token === null) return {}
  const basic = Buffer.from(`x-access-token:${await token()}`).toString('base64')
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  }
}

interface Trouble {
  readonly status: 'refused'
  readonly code: 'branch_protected' | 'forge_denied' | 'forge_unreachable'
  readonly detail: string
}

/** What a push that failed says went wrong. GH006 and GH013 are GitHub's protection and rulesets. */
export function readTrouble(run: GitRun): Trouble {
  const text = `${run.stderr}\n${run.stdout.toString('utf8')}`
  const detail = run.stderr.slice(0, 1000) || `git push ended with ${run.code}`
  if (/GH006|GH013|protected branch/i.test(text)) {
    return { status: 'refused', code: 'branch_protected', detail }
  }
  const denied =
    /\[remote rejected\]|Authentication failed|could not read (?:Username|Password)|error: (?:401|403|404)|Permission to .* denied|repository .* not found|does not exist/i
  return {
    status: 'refused',
    code: denied.test(text) ? 'forge_denied' : 'forge_unreachable',
    detail,
  }
}
