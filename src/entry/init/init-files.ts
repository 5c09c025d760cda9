import { type WorkflowName, workflowText } from './workflow-files.ts'

/** What `executor init` is told; `null` leaves a line for the reader to fill in. */
export interface InitAnswers {
  readonly model: string | null
  readonly baseUrl: string | null
  readonly workflow: WorkflowName
}

export interface InitFile {
  /** Relative to the repository's root. */
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
