/** In a thread of its own, so that no busy test keeps it from looking. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

const sources = new Set(['.js', '.ts', '.py', '.json'])
const leftOut = new Set(['.git', 'node_modules', 'repo.git', '.executor'])
const seen = new Map<string, { name: string; text: string }>()

function look(folder: string): void {
  for (const entry of entriesOf(folder)) {
    const name = join(folder, entry.name)
    if (leftOut.has(entry.name)) continue
    if (entry.isDirectory()) look(name)
    else if (sources.has(extname(name))) {
      const text = readOrNull(name)
      if (text !== null) seen.set(`${name} ${text}`, { name, text })
    }
  }
}

/** What goes away while it is looked at was not there. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const timer = setInterval(() => look(workerData), 10)
parentPort?.once('message', () => {
  clearInterval(timer)
  look(workerData)
  parentPort?.postMessage([...seen.values()])
})
parentPort?.postMessage('looking')
