import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A bug to be planted: the text is there exactly once, and what comes in its place is wrong. */
export interface Bug {
  readonly file: string
  readonly find: string
  readonly replace: string
}

export interface Planted {
  /** The specifier by which a module, and all it needs of the sources, is read with this bug. */
  with(number: number, module: URL): string
  /** @throws Error where a text is not there exactly once: the list has to follow the sources */
  check(): void
}

const root = new URL('../', import.meta.url)

/** What stands for the outside is the same for all; the rest of sources and tests is read anew. */
const isShared = (url: string): boolean =>
  !url.startsWith(root.href) || /\/(?:node_modules|packages\/github-simulator)\//.test(url)

/**
 * Plants bugs in the sources, in memory and in this one process. Only what a bug reaches is read anew for it, as far as
 * it was read without one before.
 */
export function plantBugs(bugs: readonly Bug[]): Planted {
  const texts = new Map<string, string>()
  const sourceOf = (url: string) =>
    remember(texts, url, () => readFileSync(fileURLToPath(url), 'utf8'))
  const plain = new Map<string, string>()
  const plainSourceOf = (url: string) =>
    remember(plain, url, () => stripTypeScriptTypes(sourceOf(url)))
  const importers = new Map<string, Set<string>>()
  const reaches = new Map<string, ReadonlySet<string>>()
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const { searchParams } = new URL(context.parentURL ?? root.href)
      const mark = searchParams.get('mutant') ?? new URL(found.url).searchParams.get('mutant')
      if (isShared(found.url)) return found
      if (mark === null) {
        const known = importers.get(found.url) ?? new Set()
        importers.set(found.url, known.add(context.parentURL ?? ''))
        return found
      }
      const url = found.url.replace(/\?.*$/, '')
      return reaches.get(mark)?.has(url) ? { ...found, url: `${url}?mutant=${mark}` } : found
    },
    load(url, context, next) {
      const mark = new URL(url).searchParams.get('mutant')
      if (mark === null || !/\.ts\?/.test(url)) return next(url, context)
      const file = url.replace(/\?.*$/, '')
      const bug = bugs[Number(mark)]
      const isPlanted = bug !== undefined && file === new URL(bug.file, root).href
      const source = isPlanted
        ? stripTypeScriptTypes(plant(bug, sourceOf(file)))
        : plainSourceOf(file)
      return { format: 'module', source, shortCircuit: true }
    },
  })
  return {
    with(number, module) {
      const reach = new Set([new URL(bugs[number]?.file ?? '', root).href])
      for (const each of reach) for (const one of importers.get(each) ?? []) reach.add(one)
      reaches.set(`${number}`, reach)
      return `${module.href}?mutant=${number}`
    },
    check() {
      for (const bug of bugs) plant(bug, sourceOf(new URL(bug.file, root).href))
    },
  }
}

function remember(known: Map<string, string>, key: string, read: () => string): string {
  const found = known.get(key) ?? read()
  known.set(key, found)
  return found
}

/** @throws Error where the text is not there exactly once: the list has to follow the sources */
export function plant({ find, replace, file }: Bug, source: string): string {
  const places = source.split(find).length - 1
  if (places !== 1) throw new Error(`${file} has the text ${places} times: ${find}`)
  return source.replace(find, () => replace)
}
