/**
 * Errors of many runners and compilers, made by a seed from their own words. Each has causes: the faulty line, and the
 * line that mends it. Two errors are like when they have the same cause, in other files, at other lines and, in half
 * of them, with other names; all others are unlike, also those of the same words with another cause.
 */
import type { TestFailure } from '../../../packages/judge/results/test-report.ts'

/** Names and numbers of one error. */
export interface Draw {
  readonly a: string
  readonly b: string
  readonly c: string
  readonly n: number
}

type Says = (draw: Draw) => string
type Cause = readonly [wrong: Says, right: Says]

export interface Kind {
  readonly name: string
  readonly ending: string
  /** `problem` as a parser reports it, `import` as the check of imports; else a failing test's error type. */
  readonly type: 'problem' | 'import' | 'assertion' | (string & {})
  readonly message: Says
  readonly causes: readonly Cause[]
}

const cause = (wrong: Says, right: Says): Cause => [wrong, right]

export const kinds: readonly Kind[] = [
  {
    ...{ name: 'Babel, a call that is not closed', ending: 'js', type: 'problem' },
    message: () => 'Unexpected token, expected ","',
    causes: [
      cause(
        ({ a, b, c }) => `  return ${a}(${b}, ${c}`,
        ({ a, b, c }) => `  return ${a}(${b}, ${c})`,
      ),
      cause(
        ({ a, b }) => `  const ${a} = { ${b}: 1 y: 2 }`,
        ({ a, b }) => `  const ${a} = { ${b}: 1, y: 2 }`,
      ),
      cause(
        ({ a, b }) => `  ${a}.map(${b} => { return ${b} )`,
        ({ a, b }) => `  ${a}.map(${b} => { return ${b} })`,
      ),
    ],
  },
  {
    ...{ name: 'Babel, a string that is not closed', ending: 'ts', type: 'problem' },
    message: () => 'Unterminated string constant.',
    causes: [
      cause(
        ({ a, b }) => `const ${a} = '${b}`,
        ({ a, b }) => `const ${a} = '${b}'`,
      ),
      cause(
        ({ a, b }) => `  ${a}.push('${b}s, ${b})`,
        ({ a, b }) => `  ${a}.push('${b}s', ${b})`,
      ),
    ],
  },
  {
    ...{ name: 'Python, a missing colon', ending: 'py', type: 'problem' },
    message: () => "expected ':'",
    causes: [
      cause(
        ({ a, b }) => `def ${a}(${b})`,
        ({ a, b }) => `def ${a}(${b}):`,
      ),
      cause(
        ({ a, b }) => `    if ${a} > ${b}`,
        ({ a, b }) => `    if ${a} > ${b}:`,
      ),
      cause(
        ({ a }) => `class ${a}`,
        ({ a }) => `class ${a}:`,
      ),
    ],
  },
  {
    ...{ name: 'Python, an indent', ending: 'py', type: 'problem' },
    message: ({ n }) => `unindent does not match any outer indentation level (line ${n})`,
    causes: [
      cause(
        ({ a, b }) => `   return ${a}[${b}]`,
        ({ a, b }) => `    return ${a}[${b}] or ${b}`,
      ),
      cause(
        ({ a, b }) => `  ${a} = ${b} + 1`,
        ({ a, b }) => `    ${a} = ${b} + 2`,
      ),
    ],
  },
  {
    ...{ name: 'an import that leads nowhere', ending: 'js', type: 'import' },
    message: ({ a }) => `'./${a}' does not exist`,
    causes: [
      cause(
        ({ a, b }) => `import { ${b} } from './${a}'`,
        ({ a, b }) => `import { ${b} } from './${a}.js'`,
      ),
      cause(
        ({ a, b }) => `import { ${b} } from '../lib/${a}.js'`,
        ({ a, b }) => `import { ${b} } from '../src/${a}.js'`,
      ),
      cause(
        ({ a, b }) => `const ${b} = require('./${a}')`,
        ({ a, b }) => `const ${b} = require('../${a}')`,
      ),
    ],
  },
  {
    ...{ name: 'Node, undefined', ending: 'js', type: 'TypeError' },
    message: ({ b }) => `Cannot read properties of undefined (reading '${b}')`,
    causes: [
      cause(
        ({ a, b }) => `  return ${a}.${b}`,
        ({ a, b }) => `  return ${a}?.${b}`,
      ),
      cause(
        ({ a, b, c }) => `  const ${c} = ${a}[${a}.length].${b}`,
        ({ a, b, c }) => `  const ${c} = ${a}[${a}.length - 1].${b}`,
      ),
      cause(
        ({ a, b, c }) => `  for (const ${c} of ${a}.items.${b}) {`,
        ({ a, b, c }) => `  for (const ${c} of ${a}.items?.${b} ?? []) {`,
      ),
    ],
  },
  {
    ...{ name: 'Node, not a function', ending: 'js', type: 'TypeError' },
    message: ({ a, b }) => `${a}.${b} is not a function`,
    causes: [
      cause(
        ({ a, b, c }) => `  ${a}.${b}(${c})`,
        ({ a, b, c }) => `  ${a}.list.${b}(${c})`,
      ),
      cause(
        ({ a, b }) => `  return ${a}.${b}().length`,
        ({ a, b }) => `  return ${a}.${b}.length`,
      ),
    ],
  },
  {
    ...{ name: 'Node, not defined', ending: 'js', type: 'ReferenceError' },
    message: ({ a }) => `${a} is not defined`,
    causes: [
      cause(
        ({ a, b }) => `  return ${b} + ${a}`,
        ({ a, b }) => `  return ${b} + this.${a}`,
      ),
      cause(
        ({ a, b }) => `  ${a}.push(${b})`,
        ({ a, b }) => `  const ${a} = [${b}]`,
      ),
    ],
  },
  {
    ...{ name: 'pytest, None', ending: 'py', type: 'AttributeError' },
    message: ({ b }) => `'NoneType' object has no attribute '${b}'`,
    causes: [
      cause(
        ({ a, b }) => `    return ${a}.${b}()`,
        ({ a, b }) => `    return ${a}.${b}() if ${a} else None`,
      ),
      cause(
        ({ a, b, c }) => `    ${c} = find(${a}).${b}`,
        ({ a, b, c }) => `    ${c} = find(${a}, default=${c}).${b}`,
      ),
    ],
  },
  {
    ...{ name: 'pytest, a key', ending: 'py', type: 'KeyError' },
    message: ({ a }) => `'${a}'`,
    causes: [
      cause(
        ({ a, b, c }) => `    ${c} = ${b}['${a}']`,
        ({ a, b, c }) => `    ${c} = ${b}.get('${a}')`,
      ),
      cause(
        ({ a, b }) => `    del ${b}['${a}']`,
        ({ a, b }) => `    ${b}.pop('${a}', None)`,
      ),
    ],
  },
  {
    ...{ name: 'pytest, an argument', ending: 'py', type: 'TypeError' },
    message: ({ a, b }) => `${a}() missing 1 required positional argument: '${b}'`,
    causes: [
      cause(
        ({ a, b, c }) => `def ${a}(${c}, ${b}):`,
        ({ a, b, c }) => `def ${a}(${c}, ${b}=None):`,
      ),
      cause(
        ({ a, c }) => `    ${c} = ${a}()`,
        ({ a, b, c }) => `    ${c} = ${a}(${b})`,
      ),
    ],
  },
  {
    ...{ name: 'pytest, a module', ending: 'py', type: 'ModuleNotFoundError' },
    message: ({ a }) => `No module named '${a}'`,
    causes: [
      cause(
        ({ a, b }) => `from ${a} import ${b}`,
        ({ a, b }) => `from .${a} import ${b}`,
      ),
      cause(
        ({ a, b }) => `import ${a} as ${b}`,
        ({ a, b }) => `import src.${a} as ${b}`,
      ),
    ],
  },
  {
    ...{ name: 'Go, an index', ending: 'go', type: 'panic' },
    message: ({ n }) => `runtime error: index out of range [${n}] with length ${n}`,
    causes: [
      cause(
        ({ a, b }) => `\tfor i := 0; i <= len(${a}); i++ { ${b}(${a}[i]) }`,
        ({ a, b }) => `\tfor i := 0; i < len(${a}); i++ { ${b}(${a}[i]) }`,
      ),
      cause(
        ({ a, b }) => `\t${b} := ${a}[len(${a})]`,
        ({ a, b }) => `\t${b} := ${a}[len(${a})-1]`,
      ),
    ],
  },
  {
    ...{ name: 'Go, undefined', ending: 'go', type: 'build' },
    message: ({ a }) => `undefined: ${a}`,
    causes: [
      cause(
        ({ a, b }) => `\treturn ${a}(${b})`,
        ({ a, b }) => `\treturn shop.${a}(${b})`,
      ),
      cause(
        ({ a, b }) => `\tvar ${b} ${a}`,
        ({ a, b }) => `\tvar ${b} *shop.${a}`,
      ),
    ],
  },
  {
    ...{ name: 'Go, unused', ending: 'go', type: 'build' },
    message: ({ a }) => `declared and not used: ${a}`,
    causes: [
      cause(
        ({ a, b }) => `\t${a}, err := ${b}()`,
        ({ b }) => `\t_, err := ${b}()`,
      ),
      cause(
        ({ a }) => `\tfor ${a} := range items {`,
        () => '\tfor range items {',
      ),
    ],
  },
  {
    ...{ name: 'Rust, a moved value', ending: 'rs', type: 'E0382' },
    message: ({ a }) => `borrow of moved value: \`${a}\``,
    causes: [
      cause(
        ({ a, b }) => `    ${b}(${a});`,
        ({ a, b }) => `    ${b}(&${a});`,
      ),
      cause(
        ({ a, b }) => `    let ${b} = ${a};`,
        ({ a, b }) => `    let ${b} = ${a}.clone();`,
      ),
      cause(
        ({ a, b }) => `    for ${b} in ${a} {`,
        ({ a, b }) => `    for ${b} in &${a} {`,
      ),
    ],
  },
  {
    ...{ name: 'Rust, types', ending: 'rs', type: 'E0308' },
    message: () => 'mismatched types',
    causes: [
      cause(
        ({ a, b }) => `    let ${a}: String = "${b}";`,
        ({ a, b }) => `    let ${a}: String = "${b}".to_owned();`,
      ),
      cause(
        ({ a, b }) => `    ${a}.insert(${b}, 1);`,
        ({ a, b }) => `    ${a}.insert(${b}.into(), 1);`,
      ),
    ],
  },
  {
    ...{ name: 'Java, a symbol', ending: 'java', type: 'error' },
    message: () => 'cannot find symbol',
    causes: [
      cause(
        ({ a, b }) => `    return ${a}.${b}Name();`,
        ({ a, b }) => `    return ${a}.get${b}Name();`,
      ),
      cause(
        ({ a }) => `    List<String> ${a} = new ArrayList<>();`,
        ({ a }) => `    java.util.List<String> ${a} = new java.util.ArrayList<>();`,
      ),
    ],
  },
  {
    ...{ name: 'Java, null', ending: 'java', type: 'NullPointerException' },
    message: ({ a, b }) => `Cannot invoke "Cart.${b}()" because "${a}" is null`,
    causes: [
      cause(
        ({ a, b }) => `    return ${a}.${b}();`,
        ({ a, b }) => `    return ${a} == null ? null : ${a}.${b}();`,
      ),
      cause(
        ({ a, b, c }) => `    this.${c} = ${a}.${b}().size();`,
        ({ c }) => `    this.${c} = 0;`,
      ),
    ],
  },
  {
    ...{ name: 'RSpec, nil', ending: 'rb', type: 'NoMethodError' },
    message: ({ b }) => `undefined method \`${b}' for nil:NilClass`,
    causes: [
      cause(
        ({ a, b }) => `    ${a}.${b}`,
        ({ a, b }) => `    ${a}&.${b}`,
      ),
      cause(
        ({ a, b, c }) => `    @${c} = ${a}.first.${b}(1)`,
        ({ a, b, c }) => `    @${c} = ${a}.first.to_s.${b}(1)`,
      ),
    ],
  },
  {
    ...{ name: 'PHPUnit, a variable', ending: 'php', type: 'Warning' },
    message: ({ a }) => `Undefined variable $${a}`,
    causes: [
      cause(
        ({ a, b }) => `    return $${a} + $${b};`,
        ({ a, b }) => `    return $this->${a} + $${b};`,
      ),
      cause(
        ({ a, b }) => `    $${b}[] = $${a};`,
        ({ a, b }) => `    $${b}[] = $${a} ?? null;`,
      ),
    ],
  },
  {
    ...{ name: '.NET, a name', ending: 'cs', type: 'CS0103' },
    message: ({ a }) => `The name '${a}' does not exist in the current context`,
    causes: [
      cause(
        ({ a, b }) => `    return ${a}(${b});`,
        ({ a, b }) => `    return Shop.${a}(${b});`,
      ),
      cause(
        ({ a, b }) => `    var ${b} = ${a}.Count;`,
        ({ a, b }) => `    var ${b} = this.${a}.Count;`,
      ),
    ],
  },
  {
    ...{ name: 'Vitest, an assertion', ending: 'ts', type: 'assertion' },
    message: ({ n }) => `expected ${n} to be ${n + 1} // Object.is equality`,
    causes: [
      cause(
        ({ a, b }) => `  return ${a} - ${b}`,
        ({ a, b }) => `  return ${a} + ${b}`,
      ),
      cause(
        ({ a, b }) => `  return ${a}.slice(0, ${b})`,
        ({ a, b }) => `  return ${a}.slice(0, ${b} + 1)`,
      ),
    ],
  },
  {
    ...{ name: 'pytest, an assertion', ending: 'py', type: 'assertion' },
    message: ({ n }) => `assert ${n} == ${n + 2}`,
    causes: [
      cause(
        ({ a, b }) => `    return ${a} // ${b}`,
        ({ a, b }) => `    return ${a} / ${b}`,
      ),
      cause(
        ({ a, b }) => `    ${a} = sorted(${b})`,
        ({ a, b }) => `    ${a} = sorted(${b}, reverse=True)`,
      ),
    ],
  },
]

/** Numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const names =
  'total order user cart price items name count rate page invoice amount label score width entry event token query route value index title owner status color path group limit offset'.split(
    ' ',
  )

/** One occurrence of an error: what is reported, and the file with the faulty line in it. */
export interface Occurrence {
  readonly kind: Kind
  readonly cause: number
  readonly draw: Draw
  readonly path: string
  /** The name of the failing test. */
  readonly test: string
  readonly text: string
  /** 1-based, of the faulty line. */
  readonly line: number
  /** The fix as a repair notes it. */
  readonly fix: string
}

/** @param noise lines of real code around the faulty one */
export function occur(
  kind: Kind,
  at: number,
  draw: Draw,
  test: string,
  { random, noise }: { readonly random: () => number; readonly noise: readonly string[] },
): Occurrence {
  const [wrong, right] = kind.causes[at] ?? kind.causes[0] ?? cause(String, String)
  const from = Math.floor(random() * Math.max(1, noise.length - 60))
  const around = noise.slice(from, from + 40)
  const line = 1 + Math.floor(random() * around.length)
  const text = around.toSpliced(line - 1, 0, wrong(draw)).join('\n')
  const path = `src/${pick(names, random)}${Math.floor(random() * 100)}.${kind.ending}`
  const fix = `${wrong(draw).trim()} → ${right(draw).trim()}`
  return { kind, cause: at, draw, path, test, text, line, fix }
}

export const pick = <Value>(values: readonly Value[], random: () => number): Value => {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('There is nothing to pick from.')
  return value
}

export function drawFrom(random: () => number): Draw {
  const shuffled = names.toSorted(() => random() - 0.5)
  const [a = '', b = '', c = ''] = shuffled
  return { a, b, c, n: 1 + Math.floor(random() * 90) }
}

export const failureOf = ({ kind, draw, path, line, test }: Occurrence): TestFailure => {
  const isAsserted = kind.type === 'assertion'
  return {
    test,
    file: `test/${path.slice(4)}`,
    line: 3,
    message: kind.message(draw),
    expected: isAsserted ? String(draw.n) : null,
    actual: isAsserted ? String(draw.n + 1) : null,
    errorType: isAsserted ? 'AssertionError' : kind.type,
    // A failed assertion names only the test.
    trace: isAsserted ? [] : [`${path}:${line}`],
  }
}
