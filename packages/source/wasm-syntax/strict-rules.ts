import type { Node } from 'web-tree-sitter'

/** A rule against nodes that a grammar accepts but its language forbids. */
export interface StrictRule {
  readonly kinds: readonly string[]
  /** Returns `null` for a correct node. */
  readonly whyWrong: (node: Node) => string | null
}

/** Node kinds that are statements in Java (language specification, 14.8). */
const javaStatements = new Set([
  ...['assignment_expression', 'update_expression', 'method_invocation'],
  ...['object_creation_expression', 'switch_expression', 'line_comment', 'block_comment'],
])

/** Rust keywords that are never names; without those that name a module or a type. */
const rustKeywords = new Set(
  (
    'as break const continue else enum extern false fn for if impl in let loop match mod move mut pub ref ' +
    'return static struct trait true type unsafe use where while'
  ).split(' '),
)

const rustParameters = new Set([
  ...['parameter', 'self_parameter', 'variadic_parameter', 'macro_invocation', 'metavariable'],
  ...['attribute_item', 'inner_attribute_item', 'line_comment', 'block_comment'],
])

export const strictRules: Readonly<Partial<Record<string, readonly StrictRule[]>>> = {
  java: [
    {
      kinds: ['expression_statement'],
      whyWrong({ parent, namedChildren: [expression] }) {
        // `case 1 -> 6;` yields a value.
        const isValue = parent?.type === 'switch_rule'
        return isValue || !expression || javaStatements.has(expression.type)
          ? null
          : `\`${firstLine(expression)}\` is no statement`
      },
    },
    {
      kinds: ['constructor_declaration'],
      whyWrong(node) {
        const own = node.childForFieldName('name')?.text
        const type = above(node, /_declaration$/)?.childForFieldName('name')?.text
        return own === type || type === undefined
          ? null
          : `\`${own}\` has no return type, and is not the name of the class`
      },
    },
  ],
  rust: [
    {
      kinds: ['function_item'],
      whyWrong(node) {
        const parameters = node.childForFieldName('parameters')?.namedChildren ?? []
        const bare = parameters.find((each) => each !== null && !rustParameters.has(each.type))
        // The 2015 edition allows them in a trait's own functions.
        return bare && above(node, /_item$/)?.type !== 'trait_item'
          ? `the parameter \`${firstLine(bare)}\` has no type`
          : null
      },
    },
    {
      kinds: ['identifier', 'type_identifier', 'field_identifier', 'shorthand_field_identifier'],
      whyWrong: (node) =>
        rustKeywords.has(node.text) &&
        above(node, /^(?:lifetime|token_tree|attribute|macro_)/) === null
          ? `\`${node.text}\` is a keyword`
          : null,
    },
    {
      kinds: ['escape_sequence'],
      whyWrong: ({ text }) =>
        /^\\(?:[nrt0\\'"\r\n]|x[\da-f]{2}|u\{[\da-f_]+\})/i.test(text)
          ? null
          : `\`${text}\` is no escape sequence`,
    },
    {
      kinds: ['let_declaration'],
      whyWrong: ({ parent }) =>
        parent?.type === 'source_file' ? '`let` stands outside any function' : null,
    },
  ],
}

function above(node: Node, kind: RegExp): Node | null {
  let at = node.parent
  while (at !== null && !kind.test(at.type)) at = at.parent
  return at
}

const firstLine = ({ text }: Node): string => text.split('\n', 1)[0]?.slice(0, 60) ?? ''
