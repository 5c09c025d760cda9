import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'

const limit = 500_000

type Variables = Readonly<Record<string, unknown>>

/**
 * GitHub refuses a query by how many nodes it could give at most: the sizes of connections within
 * connections are multiplied, whatever there is.
 */
export function exceedsNodeLimit(document: DocumentNode, variables: Variables): string | null {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
  }
  const countIn = ({ selections }: SelectionSetNode, times: number): number => {
    let sum = 0
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value)
        if (fragment !== undefined) sum += countIn(fragment.selectionSet, times)
        continue
      }
      if (selection.selectionSet === undefined) continue
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        sum += countIn(selection.selectionSet, times)
        continue
      }
      const page = selection.arguments?.find(({ name }) => /^(?:first|last)$/.test(name.value))
      const size = page === undefined ? null : numberOf(page.value, variables)
      sum +=
        (size === null ? 0 : times * size) + countIn(selection.selectionSet, times * (size ?? 1))
    }
    return sum
  }
  let nodes = 0
  for (const one of document.definitions) {
    if (one.kind === Kind.OPERATION_DEFINITION) nodes += countIn(one.selectionSet, 1)
  }
  if (nodes <= limit) return null
  const [asked, most] = [nodes, limit].map((number) => number.toLocaleString('en-US'))
  return `This query requests up to ${asked} possible nodes which exceeds the maximum limit of ${most}.`
}

function numberOf(value: ValueNode, variables: Variables): number | null {
  const given =
    value.kind === Kind.VARIABLE
      ? variables[value.name.value]
      : value.kind === Kind.INT && value.value
  return given === undefined || given === null || given === false ? null : Number(given)
}
