import { createInterface } from 'node:readline/promises'
import { countOf } from '../../../packages/text/text.ts'
import type { LocalServer } from '../../adapters/openai/find-servers.ts'
import { usualEndpoint } from '../../core/domain/settings.ts'
import type { InitAnswers } from '../init/init-files.ts'
import { nameOfLanguage } from '../init/sample-roadmap.ts'
import type { Surroundings } from '../init/survey-repository.ts'

/** Asks one question and returns the typed answer; `null` at the end of input. */
export type AskPerson = (question: string) => Promise<string | null>

type Asked = Pick<InitAnswers, 'model' | 'baseUrl' | 'roadmap' | 'testCommand'>

/**
 * Asks at most three questions: the endpoint and the model if unknown, and one about the repository. Without a
 * person, or when they only press Enter, every answer is the default.
 *
 * @param known values from flags, the environment or the configuration, which need no question
 * @param server one on this machine, which Enter takes
 */
export async function askForAnswers(
  known: Pick<InitAnswers, 'model' | 'baseUrl'>,
  around: Pick<Surroundings, 'roadmap' | 'tests' | 'language'>,
  ask: AskPerson | null,
  server: LocalServer | null = null,
): Promise<Asked> {
  const found = around.roadmap?.path ?? null
  const byDefault: Asked = { ...known, roadmap: found, testCommand: null }
  if (ask === null) return byDefault
  const proposed = known.baseUrl === null ? server : null
  const baseUrl = known.baseUrl ?? (await askForUrl(ask, proposed))
  const model =
    known.model ?? (await askForModel(ask, baseUrl === proposed?.baseUrl ? proposed : null))
  if (around.roadmap !== null && around.roadmap.path !== 'ROADMAP.md') {
    const { path, open } = around.roadmap
    const answer = await answered(
      ask,
      `Use ${path} (${countOf(open, 'open task')}) as the roadmap? [Y/n] `,
    )
    return { ...byDefault, baseUrl, model, roadmap: /^n/i.test(answer ?? '') ? null : path }
  }
  const isUntested = around.language !== null && around.tests.length === 0
  const testCommand = isUntested
    ? await answered(
        ask,
        `Command that runs the ${nameOfLanguage(around.language.id)} tests [none yet]: `,
      )
    : null
  return { ...byDefault, baseUrl, model, testCommand }
}

async function askForModel(ask: AskPerson, server: LocalServer | null): Promise<string | null> {
  const [first = null] = server?.models ?? []
  return (await answered(ask, `Model [${first ?? 'decide later'}]: `)) ?? first
}

async function askForUrl(ask: AskPerson, server: LocalServer | null): Promise<string | null> {
  let before = ''
  for (;;) {
    const question = `${before}Model endpoint [${server?.baseUrl ?? usualEndpoint}]: `
    const said = (await answered(ask, question)) ?? server?.baseUrl ?? null
    if (said === null || (/^https?:\/\/\S+$/.test(said) && URL.canParse(said))) return said
    before = `${said} is no http or https address, like http://localhost:11434/v1.\n`
  }
}

/** `null` for an empty answer. */
const answered = async (ask: AskPerson, question: string): Promise<string | null> =>
  (await ask(question))?.trim() || null

/** Uses standard error, since standard output is for results. */
export async function askAtTerminal(question: string): Promise<string | null> {
  const lines = createInterface({
    ...{ input: process.stdin, output: process.stderr },
    // The terminal itself edits the line, as in every other question.
    terminal: false,
  })
  try {
    const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)))
    return await Promise.race([lines.question(question), ended])
  } finally {
    lines.close()
  }
}
