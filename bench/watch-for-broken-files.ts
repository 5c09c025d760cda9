import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { checkScript } from '../packages/judge/validate/parse-text.ts'

/** Between two looks; a file that tests are run on is there for a hundred times as long. */
const pauseMs = 2

export interface Watch {
  /** Ends the watch; how many different texts were seen that do not parse. */
  stop(): Promise<number>
}

/** Looks at every JavaScript file below these directories, again and again. */
export function watchForBrokenFiles(directories: readonly string[]): Watch {
  const seen = new Map<string, string>()
  const known = new Map<string, string>()
  let stopped = false
  const look = async () => {
    for (const path of (await Promise.all(directories.map(scripts))).flat()) {
      const found = await stat(path).catch(() => null)
      const version = found === null ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`
      if (found === null || known.get(path) === version) continue
      known.set(path, version)
      const text = await readFile(path, 'utf8').catch(() => null)
      if (text !== null) seen.set(`${path}\n${text}`, text)
    }
  }
  const watching = (async () => {
    while (!stopped) {
      await look()
      await wait(pauseMs)
    }
    await look()
  })()
  return {
    async stop() {
      stopped = true
      await watching
      const problems = await Promise.all(
        [...seen.values()].map((text) => checkScript('a.js', text)),
      )
      return problems.filter((found) => found.length > 0).length
    },
  }
}

async function scripts(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const paths = await Promise.all(
    entries.map((entry) => {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) return /^(\.git|repo\.git)$/.test(entry.name) ? [] : scripts(path)
      return /\.[cm]?js$/.test(entry.name) ? [path] : []
    }),
  )
  return paths.flat()
}
