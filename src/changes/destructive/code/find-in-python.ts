import { type Finding, type FindNested, unique } from '../finding.ts'
import {
  argumentsOf,
  lookUpName,
  type PythonFile,
  pythonOriginOf,
  readNames,
} from './python-names.ts'
import { judgePython, type PythonCall } from './python-rules.ts'
import type { LezerPythonNode, PythonTree } from './python-tree.ts'
import { createPythonValues, type PythonValueOf } from './python-values.ts'
import { isList, textsOf } from './value.ts'

/** Destructive calls of Python, from its syntax tree, which may be of a text with mistakes. */
export function findInPython(tree: PythonTree, text: string, look: FindNested): readonly Finding[] {
  const file = readNames(text, tree)
  const tellValue = createPythonValues(file)
  const findings: Finding[] = []
  tree.iterate({
    enter({ name, node }) {
      if (name !== 'CallExpression' || !node.firstChild) return
      const call = describe(node, node.firstChild, file, tellValue)
      const place = { start: node.from, end: node.to }
      const meaning = `${text.slice(node.from, node.to)} ${call.args.map((value) => textsOf(value).join(' ')).join(' ')}`
      for (const harm of unique(judgePython(call, look)))
        findings.push({ ...harm, ...place, meaning })
    },
  })
  return findings
}

function describe(
  node: LezerPythonNode,
  callee: LezerPythonNode,
  file: PythonFile,
  tellValue: PythonValueOf,
): PythonCall {
  const { isImported, path } = pythonOriginOf(callee, file)
  const args = argumentsOf(node, file.text)
  const object = callee.name === 'MemberExpression' ? callee.firstChild : null
  const written = callee.name === 'MemberExpression' ? callee.lastChild : callee
  return {
    isImported,
    path,
    name: path.at(-1) ?? (written ? file.text.slice(written.from, written.to) : ''),
    receiver: object ? file.text.slice(object.from, Math.min(object.to, object.from + 160)) : '',
    isPath: object !== null && isPath(object, file, 0),
    args: args
      .filter(({ name }) => name === '' || name === '*')
      .slice(0, 20)
      .flatMap(({ name, node: value }) => {
        const known = tellValue(value)
        return name === '*' ? (isList(known) ? known : [undefined]) : [known]
      }),
    keywords: new Map(
      args
        .filter(({ name }) => name !== '' && name !== '*')
        .map(({ name, node: value }) => [name, tellValue(value)]),
    ),
    count: args.length,
  }
}

/** True for what is evidently a `pathlib.Path`. */
function isPath(node: LezerPythonNode, file: PythonFile, depth: number): boolean {
  if (depth > 10) return false
  switch (node.name) {
    case 'ParenthesizedExpression':
      return node.firstChild?.nextSibling
        ? isPath(node.firstChild.nextSibling, file, depth + 1)
        : false
    case 'BinaryExpression':
      return node.firstChild ? isPath(node.firstChild, file, depth + 1) : false
    case 'CallExpression': {
      const callee = node.firstChild
      if (!callee) return false
      const last = pythonOriginOf(callee, file).path.at(-1) ?? ''
      if (/^(?:Path|PosixPath|WindowsPath|PurePath)$/.test(last)) return true
      const isMethod = callee.name === 'MemberExpression' && callee.firstChild !== null
      const keeps =
        /^(?:resolve|absolute|expanduser|with_suffix|with_name|joinpath|home|cwd|relative_to)$/.test(
          last,
        )
      return isMethod && keeps && callee.firstChild
        ? /^(?:Path|pathlib)/.test(pythonOriginOf(callee, file).path.join('.')) ||
            isPath(callee.firstChild, file, depth + 1)
        : false
    }
    case 'MemberExpression': {
      const isParent =
        node.lastChild && file.text.slice(node.lastChild.from, node.lastChild.to) === 'parent'
      return isParent && node.firstChild ? isPath(node.firstChild, file, depth + 1) : false
    }
    case 'VariableName': {
      const binding = lookUpName(file, node, file.text.slice(node.from, node.to))
      if (binding?.kind === 'path') return true
      return binding?.kind === 'value' && isPath(binding.node, file, depth + 1)
    }
    default:
      return false
  }
}
