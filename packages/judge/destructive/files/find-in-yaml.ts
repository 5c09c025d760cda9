import { isMap, isScalar, isSeq, parseAllDocuments, type Scalar } from 'yaml'
import { blank } from '../../../source/source.ts'
import { type Finding, type FindNested, within } from '../finding.ts'
import { judgeArguments } from '../shell/find-in-shell.ts'

/** Keys whose value is a script: one text, or a list of lines. */
const scripts =
  /^(?:run|script|scripts|before_script|after_script|commands?|cmds?|bash|pwsh|powershell|sh|shell|install|before_install|after_success|before_deploy|after_deploy|deploy|preBuild|postBuild|pre_build|build|post_build|onCreateCommand|postCreateCommand|inlineScript|inline|Script)$/
/** Keys whose list is one program with its arguments. */
const programs = /^(?:command|entrypoint|args|cmd|test|exec)$/

/** Returns true for files that define what runs: pipelines, compositions, clusters. */
export function runsCommands(path: string, text: string): boolean {
  const name = path.toLowerCase()
  if (!/\.ya?ml$/.test(name)) return false
  return (
    /(?:^|\/)\.(?:github|gitea|forgejo)\/|(?:^|\/)action\.ya?ml$/.test(name) ||
    /(?:^|\/)(?:\.gitlab-ci|\.travis|\.appveyor|appveyor|\.drone|\.woodpecker|azure-pipelines|bitbucket-pipelines|buildspec|cloudbuild|wercker|codeship-steps|\.cirrus|\.semaphore\/\w+|taskfile|lefthook|\.pre-commit-config|render|fly|app|dvc|\.buildkite\/[\w-]+|\.circleci\/[\w-]+|\.gitpod|devspace|skaffold|process-compose|mprocs)(?:\.[\w-]+)?\.ya?ml$/.test(
      name,
    ) ||
    /(?:^|\/)(?:[\w.-]*compose[\w.-]*)\.ya?ml$/.test(name) ||
    /(?:^|\/)(?:playbooks?|roles|tasks|handlers)\/.*\.ya?ml$|(?:^|\/)(?:playbook|site)\.ya?ml$/.test(
      name,
    ) ||
    /(?:^|\/)(?:\.gitlab|ci)\//.test(name) ||
    (/^apiVersion:/m.test(text) && /^kind:/m.test(text))
  )
}

/** Documents with more nodes than this are data. */
const MOST_NODES = 50_000

/** A value and its key; an item of a list has the list's key. */
interface Keyed {
  readonly key: string
  readonly node: unknown
}

/** Finds destructive commands that a pipeline, a composition or a cluster runs. */
export const findInYaml = (text: string, look: FindNested): readonly Finding[] =>
  findInNodes(
    readDocuments(text).map((node) => ({ key: '', node })),
    text,
    look,
  )

/** Where JSON manifests hold scripts: package.json, composer.json, deno.json, devcontainer.json. */
const groups = /^(?:scripts|tasks)$/
const single =
  /^(?:postCreateCommand|onCreateCommand|updateContentCommand|postStartCommand|postAttachCommand|initializeCommand|buildCommand|installCommand)$/

export const isScriptManifest = (path: string): boolean =>
  /(?:^|\/)(?:package|composer|deno|devcontainer|vercel|lerna|project)\.jsonc?$/.test(path)

/** Finds destructive commands in a manifest's scripts. JSON is valid YAML, and read as such. */
export function findInManifest(text: string, look: FindNested): readonly Finding[] {
  const plain = text.replace(/^[ \t]*\/\/[^\n]*/gm, blank)
  const found = readDocuments(plain)
    .flatMap(pairsOf)
    .flatMap((pair) =>
      groups.test(pair.key) ? pairsOf(pair.node) : single.test(pair.key) ? pair : [],
    )
    .map(({ node }) => ({ key: 'script', node }))
  return findInNodes(found, plain, look)
}

const readDocuments = (text: string): readonly unknown[] =>
  [...parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false })].map((document) =>
    'contents' in document ? document.contents : null,
  )

const pairsOf = (node: unknown): readonly Keyed[] =>
  isMap(node)
    ? node.items.map(({ key, value }) => ({
        key: isScalar(key) ? String(key.value) : '',
        node: value,
      }))
    : []

function findInNodes(nodes: readonly Keyed[], text: string, look: FindNested): readonly Finding[] {
  const findings: Finding[] = []
  const stack = nodes.toReversed()
  let count = 0
  for (let next = stack.pop(); next !== undefined && count < MOST_NODES; next = stack.pop()) {
    const { key, node } = next
    count += 1
    if (isMap(node)) for (const pair of pairsOf(node).toReversed()) stack.push(pair)
    else if (isSeq(node)) {
      const words = programs.test(key) ? wordsOf(node.items) : null
      if (words === null) {
        for (const item of node.items.toReversed()) stack.push({ key, node: item })
        continue
      }
      const [start = 0, end = 0] = node.range ?? []
      const place = { start, end, meaning: words.join(' ') }
      const inner = judgeArguments(words[0] === 'CMD' ? words.slice(1) : words, look)
      findings.push(...inner.map((each) => ({ ...each, ...place })))
    } else if (isScalar(node) && typeof node.value === 'string' && scripts.test(key))
      findings.push(...findInScalar(node as Scalar<string>, text, look))
  }
  return findings
}

/** The words of one program's call; `null` for a list of command lines. */
function wordsOf(items: readonly unknown[]): readonly string[] | null {
  const words = items.map((item) => (isScalar(item) ? String(item.value) : null))
  const isCall = words.length > 1 && !/\s/.test(words[0] ?? '')
  return isCall && words.every((each) => each !== null) ? words : null
}

function findInScalar(node: Scalar<string>, text: string, look: FindNested): readonly Finding[] {
  const [start = 0, end = 0] = node.range ?? []
  // Replaces the pipeline's expressions with unknown values of the same length, so offsets stay.
  const script = node.value.replace(
    /\$\{\{[\s\S]{0,400}?\}\}/g,
    (found) => `$${'E'.repeat(found.length - 1)}`,
  )
  const found = look('shell', script)
  if (found.length === 0) return found
  const map = node.type === 'BLOCK_LITERAL' ? mapLines(node.value, text, start) : null
  if (map === null)
    return within(found, { start, end: start + text.slice(start, end).trimEnd().length })
  return found.map((each) => ({ ...each, start: map(each.start), end: map(each.end) }))
}

/** Maps offsets in a block's value to those in the file, where the block's lines are indented. */
function mapLines(value: string, text: string, start: number): ((offset: number) => number) | null {
  const first = text.indexOf('\n', start) + 1
  if (first === 0) return null
  const starts: { readonly inner: number; readonly outer: number }[] = []
  let outer = first
  for (let inner = 0; inner <= value.length; ) {
    const newline = value.indexOf('\n', inner)
    const line = value.slice(inner, newline < 0 ? value.length : newline)
    const end = text.indexOf('\n', outer)
    const written = text.slice(outer, end < 0 ? text.length : end).replace(/\r$/, '')
    starts.push({ inner, outer: outer + Math.max(0, written.length - line.length) })
    if (newline < 0 || end < 0) break
    inner = newline + 1
    outer = end + 1
  }
  return (offset) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle]?.inner ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const line = starts[low]
    return line ? line.outer + offset - line.inner : start
  }
}
