/**
 * Loaded before a program (`node --import`), records each call of a function of this project, in order, and writes them
 * to a file of the folder `FACES_TRACE` when the process ends. Processes that the program starts do the same.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')
const directory = process.env.FACES_TRACE ?? ''
const sources = /^(?:src|packages\/[^/]+)\/(?!.*\/test\/).*\.ts$/

/** `path name` of each function, by its number. */
const functions: string[] = []
const calls: number[] = []

Object.assign(globalThis, {
  __called(id: number): void {
    calls.push(id)
  },
})

registerHooks({
  load(url, context, next) {
    if (!url.startsWith('file:')) return next(url, context)
    const path = relative(root, fileURLToPath(url))
    if (!sources.test(path)) return next(url, context)
    const text = instrument(path, readFileSync(fileURLToPath(url), 'utf8'))
    return { format: 'module', shortCircuit: true, source: stripTypeScriptTypes(text) }
  },
})

process.on('exit', () => {
  const file = join(directory, `${process.pid}.json`)
  writeFileSync(file, JSON.stringify({ functions, calls }))
})

/** Adds a call of `__called` to the start of each function. */
function instrument(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const added: { readonly at: number; readonly text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const body = node.body as ts.Node
      const mark = `globalThis.__called(${functions.length})`
      functions.push(`${path} ${nameOf(node)}`)
      if (ts.isBlock(body)) added.push({ at: body.getStart() + 1, text: `${mark};` })
      else {
        added.push({ at: body.getStart(), text: `(${mark},` }, { at: body.end, text: ')' })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  added.sort((a, b) => b.at - a.at)
  let result = text
  for (const { at, text: mark } of added) result = result.slice(0, at) + mark + result.slice(at)
  return result
}

function nameOf(node: ts.Node): string {
  if ('name' in node && node.name !== undefined) return (node.name as ts.Node).getText()
  const { parent } = node
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name.getText()
    : 'function'
}
