/** Calls of tests in Go and Rust, as a program of their own. */
import { posix } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { closingBracket, maskCurly, splitAtCommas } from '../../source/source.ts'
import {
  mostCalls,
  type PlainCall,
  type PlainCalls,
  type PlainNames,
  type TestInTree,
} from './plain-call.ts'
import { leadingAssertions } from './typed-twins.ts'

const value = /^-?(?:\d[\d_]*(?:\.\d+)?\w*|"(?:[^"\\\n/]|\\.)*"|true|false)$/
const longestAssertion = 300

/** A call of a function with values that are written out, without one of these names before it. */
function callIn(written: string, owners: readonly string[]): string | null {
  const text = written.trim()
  const [opening, qualifier = ''] = /^((?:\w{1,80}(?:\.|::)){0,5})\w{1,80}\(/.exec(text) ?? []
  if (opening === undefined || (qualifier !== '' && !owners.includes(qualifier))) return null
  const isWhole = closingBracket(maskCurly(text, ''), opening.length - 1) === text.length - 1
  const given = splitAtCommas(text.slice(opening.length, -1)).map((each) => each.trim())
  return isWhole && given.every((each) => each === '' || value.test(each))
    ? text.slice(qualifier.length)
    : null
}

/** A call and a value, on whichever side they stand, of the assertions that a test begins with. */
function pairsIn(
  path: string,
  text: string,
  owners: readonly string[],
  sidesOf: (assertion: string) => readonly string[],
): readonly PlainCall[] {
  const assertions = leadingAssertions(path, text).filter(
    ({ length }) => length <= longestAssertion,
  )
  const pairs = assertions.flatMap((assertion) => {
    const [one = '', other = ''] = sidesOf(assertion)
    return [[one, other] as const, [other, one] as const].flatMap(([call, expected]) => {
      const actual = callIn(call, owners)
      const isValue = value.test(expected.trim())
      return actual !== null && isValue ? [[actual, expected.trim()] as const] : []
    })
  })
  return pairs.slice(0, mostCalls)
}

/** Of `if got := Add(1); got != 3 {`, `if Add(1) != 3 {`, `assert.Equal(t, 3, Add(1))`. */
function sidesInGo(assertion: string): readonly string[] {
  const called = /^(?:assert|require)\.Equal\(t,(.*)\)$/s.exec(assertion.trim())?.[1]
  if (called !== undefined) return splitAtCommas(called)
  const head = /^if ([^{}\n]*)\{/.exec(assertion)?.[1] ?? ''
  const [, name, set] = /^(\w+) := ([^;]*);/.exec(head) ?? []
  const [left = '', right = '', ...more] = head.slice(head.indexOf(';') + 1).split('!=')
  if (more.length > 0 || (name !== undefined && left.trim() !== name)) return []
  return [set ?? left, right]
}

export async function goCalls(
  { path, text, read }: TestInTree,
  [name, mark]: PlainNames,
): Promise<PlainCalls | null> {
  const module = /^module[ \t]+"?([^\s"]+)/m.exec((await read('go.mod')) ?? '')?.[1]
  const own = /^package[ \t]+(\w+?)(?:_test)?[ \t]*$/m.exec(text)?.[1] ?? ''
  const calls = pairsIn(path, text, [`${own}.`], sidesInGo).filter(([call]) => /^[A-Z]/.test(call))
  if (module === undefined || calls.length === 0) return null
  const lines = [
    `package main\n\nimport (\n\t"os"\n\n\tzz ${JSON.stringify(posix.join(module, posix.dirname(path)))}\n)\n`,
    'func main() {',
    ...calls.map(
      ([actual, expected], index) =>
        `\tfunc() {\n\t\tdefer func() { recover() }()\n\t\tif zz.${actual} != ${expected} {\n\t\t\tos.Stdout.WriteString("${mark}:${index}\\n")\n\t\t}\n\t}()`,
    ),
    `\tos.Stdout.WriteString("${mark}:end\\n")\n}`,
  ]
  const argv = ['go', 'run', `./zz${name}`]
  return { path: `zz${name}/main.go`, text: `${lines.join('\n')}\n`, calls, argv }
}

const sidesInRust = (assertion: string): readonly string[] =>
  splitAtCommas(/^assert_eq!\((.*)\);?$/s.exec(assertion.trim())?.[1] ?? '')

const crate = z.object({ name: z.string().optional() }).catch({})
const manifest = z.object({ lib: crate, package: crate })

/** The name that the library of a manifest has in code. */
function libraryOf(text: string): string | undefined {
  try {
    const { lib, package: whole } = manifest.parse(parse(text))
    return (lib.name ?? whole.name)?.replaceAll('-', '_')
  } catch {
    return undefined
  }
}

export async function rustCalls(
  { path, text, read }: TestInTree,
  [name, mark]: PlainNames,
): Promise<PlainCalls | null> {
  const library = libraryOf((await read('Cargo.toml')) ?? '')
  const calls = pairsIn(path, text, ['super::', 'crate::'], sidesInRust)
  if (library === undefined || calls.length === 0) return null
  const own = /^src\/(.*?)(?:\/?(?:lib|mod))?\.rs$/.exec(path)?.[1]?.replaceAll('/', '::')
  const uses =
    own === undefined
      ? [...text.matchAll(/^use [^;\n]{1,200};$/gm)]
          .map(([line]) => line)
          .filter((each) => each.includes(library))
      : [`use ${[library, ...(own === '' ? [] : [own])].join('::')}::*;`]
  const lines = [
    '#![allow(unused_imports)]\nuse std::io::Write as ZzWrite;',
    ...uses,
    'fn zz(text: &str) {\n    let _ = std::io::stdout().write_all(text.as_bytes());\n}\n',
    'fn main() {',
    ...calls.map(
      ([actual, expected], index) =>
        `    let _ = std::panic::catch_unwind(|| {\n        if ${actual} != ${expected} {\n            zz("${mark}:${index}\\n");\n        }\n    });`,
    ),
    `    zz("${mark}:end\\n");\n}`,
  ]
  const argv = ['cargo', 'run', '--quiet', '--offline', '--example', `zz_${name}`]
  return { path: `examples/zz_${name}.rs`, text: `${lines.join('\n')}\n`, calls, argv }
}
