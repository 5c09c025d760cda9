import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { remedyTable } from '../packages/diagnosis/diagnose.ts'
import { lintRules, visibleExample } from '../packages/roadmap/lint/rules.ts'
import { fenced } from '../packages/text/markdown/write-markdown.ts'
import { projectUrl } from '../src/core/publisher.ts'
import { tools } from '../src/entry/cli/mcp/tools.ts'
import { defaultOf, describeFile } from '../src/entry/config/describe-settings.ts'
import { options } from '../src/entry/config/options.ts'
import { describeEvents } from '../src/entry/events/event-schema.ts'
import { initFiles } from '../src/entry/init/init-files.ts'
import {
  changeCheckWorkflow,
  lintWorkflow,
  workflowNames,
  workflowText,
} from '../src/entry/init/workflow-files.ts'
import { drawMermaid } from '../src/graph/draw-mermaid.ts'
import { checkRules } from '../src/runs/check/check-rules.ts'
import { countArrows, drawRooms, readArrows } from './draw-rooms.ts'
import { libraryTypes } from './library-types.ts'
import { renewPart } from './renew-part.ts'
import { fillCounts, readCounts } from './security-counts.ts'

/** The up-to-date text of a file that is generated, whole or between its markers. */
export interface GeneratedFile {
  readonly path: string
  readonly text: string
}

const manifest = z.object({
  inputs: z.record(
    z.string(),
    z.object({ description: z.string(), default: z.string().optional() }),
  ),
  outputs: z.record(z.string(), z.object({ description: z.string() })),
})

const eventsShape = z.object({
  oneOf: z.array(
    z.object({
      description: z.string(),
      properties: z.record(z.string(), z.object({ const: z.unknown().optional() })),
    }),
  ),
})

type Manifest = z.infer<typeof manifest>

/** Generates every derived file; `root` holds `action.yml` and the hand-written text around the parts. */
export async function generatedFiles(root: string): Promise<readonly GeneratedFile[]> {
  const action = manifest.parse(parse(await readFile(join(root, 'action.yml'), 'utf8')))
  return [
    await withParts(root, 'docs/architecture.md', { rooms: await roomsPicture() }),
    await withParts(root, 'docs/graph.md', {
      graph: `\`\`\`mermaid\n${drawMermaid().trim()}\n\`\`\``,
    }),
    await withParts(root, 'docs/action.md', {
      inputs: inputsTable(action.inputs),
      outputs: outputsTable(action.outputs),
    }),
    await withParts(root, 'docs/check.md', {
      rules: checkRulesTable(),
      workflow: fenced(changeCheckWorkflow.trim(), 'yaml'),
    }),
    await withParts(root, 'docs/configuration.md', { settings: settingsTable() }),
    await withParts(root, 'docs/lint.md', {
      rules: lintRulesText(),
      workflow: fenced(lintWorkflow.trim(), 'yaml'),
    }),
    await withParts(root, 'docs/mcp.md', { tools: toolsTable() }),
    await withParts(root, 'docs/reliability.md', { remedies: remediesTable() }),
    { path: 'schema/executor.schema.json', text: `${JSON.stringify(describeFile(), null, 2)}\n` },
    { path: 'schema/events.schema.json', text: `${JSON.stringify(describeEvents(), null, 2)}\n` },
    { path: 'schema/library.d.cts', text: libraryTypes(join(import.meta.dirname, '..')) },
    await withParts(root, 'docs/events.md', { events: eventsText() }),
    { path: 'SECURITY.md', text: await securityText(root) },
    { path: 'package.json', text: await packageText(root) },
    ...exampleFiles(),
  ]
}

/** Replaces the text between `<!-- generated: name -->` and `<!-- end: name -->`. */
async function withParts(
  root: string,
  path: string,
  parts: Readonly<Record<string, string>>,
): Promise<GeneratedFile> {
  const written = await readFile(join(root, path), 'utf8')
  const text = Object.entries(parts).reduce((document, [name, part]) => {
    const renewed = renewPart(document, name, part)
    if (renewed === null) throw new Error(`${path} has no markers for "${name}".`)
    return renewed
  }, written)
  return { path, text }
}

/** Reads the counts from this script's own repository, not from `root`. */
async function securityText(root: string): Promise<string> {
  const counts = await readFile(join(import.meta.dirname, '../test/counts.json'), 'utf8')
  return fillCounts(await readFile(join(root, 'SECURITY.md'), 'utf8'), readCounts(counts))
}

/** Reads the sources of this script's own repository, not of `root`. */
async function roomsPicture(): Promise<string> {
  const arrows = await readArrows(join(import.meta.dirname, '..'))
  const counted = `${arrows.size} rooms, ${countArrows(arrows)} arrows between them; arrows that a longer path implies are not drawn.`
  return `${fenced(drawRooms(arrows), 'mermaid')}\n\n${counted}`
}

/** package.json names the repository that `src/core/publisher.ts` names. */
async function packageText(root: string): Promise<string> {
  const { name, version, description, ...rest } = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  const place = {
    homepage: `${projectUrl}#readme`,
    bugs: `${projectUrl}/issues`,
    repository: { type: 'git', url: `git+${projectUrl}.git` },
  }
  return `${JSON.stringify({ name, version, description, ...place, ...rest, ...place }, null, 2)}\n`
}

function inputsTable(inputs: Manifest['inputs']): string {
  const rows = Object.entries(inputs).map(([name, input]) => {
    const isSetting = options.some((option) => option.input === name)
    const byDefault = isSetting ? defaultOf(name) : input.default
    return [code(name), shown(byDefault), input.description]
  })
  return table(['Input', 'Default', 'Meaning'], rows)
}

function outputsTable(outputs: Manifest['outputs']): string {
  const rows = Object.entries(outputs).map(([name, output]) => [code(name), output.description])
  return table(['Output', 'Meaning'], rows)
}

function settingsTable(): string {
  const rows = options.map(({ key, flag, input, environment, description }) => [
    code(key),
    shown(defaultOf(key)),
    description,
    [
      flag === null ? null : code(flag),
      input === null ? null : 'input',
      environment === null ? null : code(environment),
    ]
      .filter((place) => place !== null)
      .join(', '),
  ])
  return table(['Key', 'Default', 'Meaning', 'Also set by'], rows)
}

function checkRulesTable(): string {
  const rows = Object.entries(checkRules).map(([id, { severity, summary }]) => [
    ...[code(id), severity, summary],
  ])
  return table(['Rule', 'Severity', 'Finding'], rows)
}

function toolsTable(): string {
  const rows = Object.entries(tools).map(([name, { description, input }]) => {
    const given = Object.entries(input.shape).map(([key, schema]) =>
      schema.safeParse(undefined).success ? `${code(key)}?` : code(key),
    )
    return [code(name), given.join(', '), description]
  })
  return table(['Tool', 'Arguments', 'What it does'], rows)
}

function eventsText(): string {
  const { oneOf } = eventsShape.parse(describeEvents())
  const shown = new Set(['v', 'at', 'run', 'task', 'type'])
  const rows = oneOf.map(({ description, properties }) => {
    const fields = Object.keys(properties).filter((name) => !shown.has(name))
    return [code(String(properties.type?.const)), description, fields.map(code).join(', ')]
  })
  return table(['Type', 'Meaning', 'Fields'], rows)
}

function remediesTable(): string {
  const rows = Object.entries(remedyTable).map(([type, remedies]) => [
    code(type),
    remedies.map(([remedy, words]) => `${code(remedy)} ${words}`).join(' · '),
  ])
  return table(['Type', 'Remedies, in this order'], rows)
}

function lintRulesText(): string {
  const rows = lintRules.map(({ id, severity, summary }) => [`[${id}](#${id})`, severity, summary])
  const sections = lintRules.map(({ id, help, bad, good }) => {
    const examples = [`Instead of:`, fenced(visibleExample(bad), 'markdown'), 'Write:']
    return [`### ${id}`, help, ...examples, fenced(good, 'markdown')].join('\n\n')
  })
  return [table(['Rule', 'Severity', 'Problem'], rows), ...sections].join('\n\n')
}

/** The files that `executor init` writes, as examples. */
function exampleFiles(): readonly GeneratedFile[] {
  const [, , roadmap] = initFiles({ model: null, baseUrl: null, workflow: 'full' })
  return [
    ...workflowNames.map((name) => ({
      path: `docs/examples/${name}.yml`,
      text: workflowText(name),
    })),
    { path: 'docs/examples/ROADMAP.md', text: roadmap?.text ?? '' },
  ]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )
  return lines.join('\n')
}

/** A default as written in the file; empty without one. */
function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  return code(typeof value === 'string' ? value : JSON.stringify(value))
}

const code = (text: string): string => `\`${text}\``
