import * as core from '@actions/core'
import {
  boundMarkdown,
  createDataMask,
  createRedactor,
  inertLog,
  longestSummary,
} from '../../../packages/text/text.ts'
import { secretsOfEnvironment } from '../redact/redact-ports.ts'

/** The line of a file that an annotation is shown on; line and column are 1-based. */
export interface AnnotatedPlace {
  readonly title?: string
  readonly file: string
  readonly startLine: number
  readonly startColumn: number
}

/**
 * The only access to a job's runner: everything sent to it is redacted first, and none of it is interpreted as a
 * command to the runner.
 */
export interface JobRunner {
  /** Trimmed; empty for an input that is not given. */
  input(name: string): string
  /** Redacts this text from now on, here and in the runner. */
  keepSecret(text: string): void
  say(line: string): void
  annotate(level: 'error' | 'warning' | 'notice', text: string, place?: AnnotatedPlace): void
  /** Fails the step. */
  fail(text: string): void
  /** Sets an output: a text verbatim, anything else as JSON. */
  output(name: string, value: unknown): void
  /** Adds Markdown to the job's summary, if there is one, cut to GitHub's limit. */
  summarise(markdown: string): Promise<void>
}

const secretInputs = ['github-token', 'api-key']

const annotations = { error: core.error, warning: core.warning, notice: core.notice } as const

export function openRunner(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): JobRunner {
  const given = secretInputs.map((name) => core.getInput(name)).filter((value) => value !== '')
  const redact = createRedactor([...given, ...secretsOfEnvironment(environment)])
  const mask = createDataMask(redact)
  return {
    input: (name) => core.getInput(name),
    keepSecret: (text) => core.setSecret(text),
    say: (line) => core.info(inertLog(redact(line))),
    annotate(level, text, place) {
      annotations[level](redact(text), place && mask({ ...place }))
    },
    fail: (text) => core.setFailed(redact(text)),
    output: (name, value) =>
      core.setOutput(name, typeof value === 'string' ? redact(value) : JSON.stringify(mask(value))),
    async summarise(markdown) {
      if (!environment.GITHUB_STEP_SUMMARY) return
      await newSummary()
        .addRaw(boundMarkdown(redact(markdown), longestSummary))
        .write()
    },
  }
}

type Summary = typeof core.summary

/** The package's own summary keeps the file of the process's first job. */
const newSummary = (): Summary => new (core.summary.constructor as new () => Summary)()
