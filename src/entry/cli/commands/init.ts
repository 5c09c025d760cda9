import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { excludeFromGit, findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { type WorkflowName, workflowNames, workflowText } from '../../init/workflow-files.ts'
import type { Terminal } from '../terminal.ts'

export async function init(
  flags: {
    readonly model?: string
    readonly baseUrl?: string
    readonly workflow?: string
  },
  terminal: Terminal,
): Promise<number> {
  const repository = await findRepository(terminal.directory)
  const workflow = chooseWorkflow(flags.workflow)
  const files = initFiles({
    model: flags.model ?? null,
    baseUrl: flags.baseUrl ?? null,
    workflow,
  })
  for (const { path, text } of files) {
    const target = join(repository.root, path)
    await mkdir(dirname(target), { recursive: true })
    const written = await writeFile(target, text, { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    const mark = written ? terminal.paint('green', 'wrote') : terminal.paint('dim', 'kept ')
    terminal.say(`${mark} ${path}`)
  }
  await excludeFromGit(repository, '.executor/')
  terminal.say(`
Next:
  1. Edit ROADMAP.md, then commit: git add -A && git commit -m "Add a roadmap"
  2. executor plan             the tasks in order, and what they would cost
  3. executor run --max-tasks 1
On GitHub: add the secret OPENAI_API_KEY, allow Actions to create pull requests
(Settings → Actions → General), and start the workflow "Roadmap executor".`)
  return 0
}

function chooseWorkflow(asked: string | undefined): WorkflowName {
  const found = workflowNames.find((name) => name === (asked ?? workflowNames[0]))
  if (found !== undefined) return found
  const names = workflowNames.join(', ')
  throw new ExecutorError('bad_usage', `--workflow must be one of ${names}, not ${asked}.`)
}

/** What `executor init` is told; `null` leaves a line for the reader to fill in. */
interface InitAnswers {
  readonly model: string | null
  readonly baseUrl: string | null
  readonly workflow: WorkflowName
}

interface InitFile {
  readonly path: string
  readonly text: string
}

/** The files `executor init` writes; those under docs/examples are generated from the same. */
export function initFiles(answers: InitAnswers): readonly InitFile[] {
  return [
    { path: '.github/workflows/executor.yml', text: workflowText(answers.workflow) },
    { path: '.github/executor.yml', text: configuration(answers) },
    { path: 'ROADMAP.md', text: roadmap },
  ]
}

const quoted = (text: string): string => JSON.stringify(text)

const configuration = ({ model, baseUrl }: InitAnswers): string => `# Settings of roadmap-executor.
# A line that starts with # shows the default; docs/configuration.md has every key.

${model === null ? '# model: the-name-of-your-model' : `model: ${quoted(model)}`}
${baseUrl === null ? '# base-url: https://api.openai.com/v1' : `base-url: ${quoted(baseUrl)}`}

# roadmap: ROADMAP.md
# strategy: single              # two_phase asks for a plan first
# approval-mode: interactive    # proposals wait for a person
# stack: auto                   # a task starts from the work it depends on

# max-tasks: 0                  # per run; 0 is no limit
# max-open-prs: 5
# max-cost: 5                   # dollars per run; no limit when left out
# prices:                       # dollars for a million tokens
#   the-name-of-your-model: { prompt: 0.4, completion: 1.6 }

# Detected when left out.
# setup-command: npm ci
# test-command: npm test
# require-tests: false

# Paths no task may touch, besides the built-in list.
# protected-paths:
#   - migrations/**
`

const roadmap = `# Roadmap

Each box is a task; \`executor plan\` shows the order. Say what should be true at the end, and name files where you can.

- [ ] T-1: Add a health check
  - \`health()\` answers \`{ status: 'ok' }\`, and a test shows it
  - Files: \`src/health.js\`, \`test/health.test.js\`
- [ ] T-2: Show the version in the health check
  - \`health()\` also answers the version in package.json
  - Depends on: T-1
`
