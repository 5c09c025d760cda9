/** A `git` that comes first on PATH: it counts how often the program calls it, and fails at one call. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type GitFault =
  /** It does nothing and says that the disk is full. */
  | 'fails'
  /** It does its work, and nobody hears of it. */
  | 'lost'
  | 'killed before'
  | 'killed after'
  /** Killed together with git: its locks stay. */
  | 'killed, locks stay'

export interface GitStrike {
  readonly at: number
  readonly fault: GitFault
}

export interface CountingGit {
  /** To be put first on PATH. */
  readonly folder: string
  /** Forgets what was counted; `null` lets all calls pass. */
  arm(strike: GitStrike | null): void
  /** What was called since, `update-ref`, in order. */
  calls(): readonly string[]
}

/** Its number is the first that nobody took: calls run side by side. */
const script = (folder: string, git: string): string => `#!/bin/sh
number=0
set -C
until { true > '${folder}/calls/'$number; } 2>/dev/null; do number=$((number + 1)); done
set +C
name= directory=
for word in "$@"; do
  case "$word" in
    --git-dir=*) directory="\${word#--git-dir=}" ;;
    [a-z]*-*|[a-z]*) case "$word" in *=*) ;; *) name="$word"; break ;; esac ;;
  esac
done
printf '%s' "$name" > '${folder}/calls/'$number
at=none fault=none
if [ -e '${folder}/strike' ]; then read -r at fault < '${folder}/strike'; fi
[ "$at" = "$number" ] || exec '${git}' "$@"
case "$fault" in
  fails)
    echo 'error: unable to write file: No space left on device' >&2
    exit 128 ;;
  lost)
    '${git}' "$@" > /dev/null
    echo 'fatal: write error: Broken pipe' >&2
    exit 128 ;;
  'killed before') kill -9 $PPID ;;
  'killed after')
    '${git}' "$@" > /dev/null 2>&1
    kill -9 $PPID ;;
  'killed, locks stay')
    for lock in HEAD index packed-refs refs/heads/agent/T-1 refs/heads/agent/T-2; do
      mkdir -p "$directory/$(dirname "$lock")"
      touch -d '1 minute ago' "$directory/$lock.lock"
    done
    kill -9 $PPID ;;
esac
exit 128
`

export function createCountingGit(folder: string): CountingGit {
  const calls = join(folder, 'calls')
  const strikeFile = join(folder, 'strike')
  mkdirSync(calls, { recursive: true })
  writeFileSync(join(folder, 'git'), script(folder, findGit()), { mode: 0o755 })
  return {
    folder,
    arm(strike) {
      rmSync(calls, { recursive: true })
      mkdirSync(calls)
      if (strike === null) rmSync(strikeFile, { force: true })
      else writeFileSync(strikeFile, `${strike.at} ${strike.fault}\n`)
    },
    calls: () =>
      readdirSync(calls)
        .sort((a, b) => Number(a) - Number(b))
        .map((name) => readFileSync(join(calls, name), 'utf8')),
  }
}

function findGit(): string {
  const folders = (process.env.PATH ?? '').split(':')
  const found = folders.map((one) => join(one, 'git')).find((path) => existsSync(path))
  if (found === undefined) throw new Error('There is no git on PATH.')
  return found
}
