import { usualEndpoint } from '../../core/domain/settings.ts'
import { priceOf } from '../../core/domain/usage.ts'
import { sampleRoadmap } from './sample-roadmap.ts'
import { type WorkflowName, workflowText, yamlWord } from './workflow-files.ts'

/** The answers and findings of `executor init`; `null` leaves a line for the reader to fill in. */
export interface InitAnswers {
  readonly model: string | null
  readonly baseUrl: string | null
  readonly workflow: WorkflowName
  /** The value of `uses:`; by default the published Action. */
  readonly action?: string | undefined
  /** Names of the workflows that check pull requests. */
  readonly ci?: readonly string[]
  /** An existing roadmap that is not called ROADMAP.md; `null` for none, so that a sample is written. */
  readonly roadmap?: string | null
  /** Given only when no test command was detected. */
  readonly testCommand?: string | null
  /** Paths of the repository, which determine the sample's language. */
  readonly files?: readonly string[]
}

interface InitFile {
  readonly path: string
  readonly text: string
}

/** The files that `executor init` writes; docs/examples is generated from the same. */
export function initFiles(answers: InitAnswers): readonly InitFile[] {
  const { workflow, action, ci = [], roadmap = null, files = [] } = answers
  const text = workflowText(workflow, action, ci.length > 0 ? ci : undefined)
  return [
    { path: '.github/workflows/executor.yml', text },
    { path: '.github/executor.yml', text: configuration(answers) },
    ...(roadmap === null ? [{ path: 'ROADMAP.md', text: sampleRoadmap(files) }] : []),
  ]
}

/** A line that sets a value, or a commented one that shows how. */
const setting = (key: string, value: string | null | undefined, otherwise: string): string =>
  value === null || value === undefined ? `# ${key}: ${otherwise}` : `${key}: ${yamlWord(value)}`

/** A limit in dollars needs the model's price. */
const costLimit = (model: string | null): string =>
  model !== null && priceOf(model, {}) !== null
    ? 'max-cost: 5                     # dollars per run; no limit when left out'
    : '# max-cost: 5                   # dollars per run; needs the price of the model, below'

const configuration = ({
  model,
  baseUrl,
  roadmap = null,
  testCommand = null,
}: InitAnswers): string => `# Settings of roadmap-executor.
# A line that starts with # shows the default; docs/configuration.md has every key.

${setting('model', model, 'the-name-of-your-model')}
${setting('base-url', baseUrl, usualEndpoint)}

${setting('roadmap', roadmap === 'ROADMAP.md' ? null : roadmap, 'ROADMAP.md')}
# strategy: single              # two_phase asks for a plan first; tools looks and tests in a loop
# approval-mode: interactive    # proposals wait for a person
# stack: auto                   # a task starts from the work it depends on

# The first night does little and costs little; raise the limits when you like what you find.
max-tasks: 3                    # per run; 0 is no limit
${costLimit(model)}
# max-open-prs: 5
# prices:                       # dollars for a million tokens
#   the-name-of-your-model: { prompt: 0.4, completion: 1.6 }

# Detected when left out.
# setup-command: npm ci
${setting('test-command', testCommand, 'npm test')}
# require-tests: false

# Paths no task may touch, besides the built-in list.
# protected-paths:
#   - migrations/**
`
