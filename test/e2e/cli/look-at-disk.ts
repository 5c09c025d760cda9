import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { Worker } from 'node:worker_threads'
import ts from 'typescript'

/** Everything below a folder by its path: kind, mode, time of change and content. */
export function photograph(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const path of pathsBelow(folder)) {
    const at = lstatSync(path)
    const content = at.isSymbolicLink()
      ? readlinkSync(path)
      : at.isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : ''
    found.set(relative(folder, path), `${at.mode} ${at.mtimeMs} ${content}`)
  }
  return found
}

/** The paths that came, went or changed between two photographs, sorted. */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).toSorted()
}

interface Source {
  readonly name: string
  readonly text: string
}

export interface SourceWatch {
  /** Stops; the texts that were on disk at any time, by file name and text. */
  stop(): Promise<readonly Source[]>
}

/** Looks at every source below a folder, again and again; packages and git's own files left out. */
export function watchSources(folder: string): SourceWatch {
  const worker = new Worker(new URL('./disk-watcher.ts', import.meta.url), { workerData: folder })
  const looking = once(worker, 'message')
  return {
    async stop() {
      await looking
      const seen = once(worker, 'message')
      worker.postMessage('stop')
      const [sources] = await seen
      await worker.terminate()
      return sources
    },
  }
}

/** True for a text that a compiler of its language, none of the program's own, takes. */
export function isWellFormed({ name, text }: { name: string; text: string }): boolean {
  switch (extname(name)) {
    case '.py':
      return isPython(text)
    case '.json':
      return isJson(text)
    default: {
      const { diagnostics = [] } = ts.transpileModule(text, {
        fileName: name,
        reportDiagnostics: true,
        compilerOptions: { allowJs: true, module: ts.ModuleKind.ESNext },
      })
      return diagnostics.length === 0
    }
  }
}

function isPython(text: string): boolean {
  try {
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input: text,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    return true
  } catch {
    return false
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function pathsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path]
  })
}
