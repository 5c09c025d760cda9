import { createWasmSyntaxChecker } from '../../../../packages/source/source.ts'
import { keepCalibration } from '../../../adapters/calibration-file.ts'
import { isNearby } from '../../../adapters/openai/endpoint.ts'
import { createOpenAIModel } from '../../../adapters/openai-model.ts'
import { createSystemClock, createSystemRandom } from '../../../adapters/system.ts'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { endpointAddress } from '../../../core/domain/calibration.ts'
import { ExecutorError, isError } from '../../../core/domain/errors.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import {
  type CalibrationCost,
  foreseeCalibration,
  type JudgedAnswer,
  measureModel,
} from '../../../runs/calibrate/measure-model.ts'
import { findApiKey } from '../../compose/compose.ts'
import { cacheDirectory } from '../../own-directory.ts'
import { askAtTerminal } from '../ask-for-answers.ts'
import { calibrationTable } from '../describe-calibration.ts'
import type { Flags } from '../flags.ts'
import { loadSettings } from '../load-settings.ts'
import type { Terminal } from '../terminal.ts'

/** `executor calibrate`: measures what the model can do, for the runs of this user. Returns 0, or 2 when declined. */
export async function calibrateModel(
  flags: Flags<'yes' | 'json', 'model' | 'baseUrl'>,
  terminal: Terminal,
): Promise<number> {
  const { model, baseUrl } = flags
  const settings = await loadSettings(await rootOf(terminal), { model, baseUrl }, terminal)
  const apiKey = findApiKey({ ...settings, strategy: 'single' }, terminal.environment)
  const [clock, random, syntax] = [
    createSystemClock(),
    createSystemRandom(),
    createWasmSyntaxChecker(),
  ]
  try {
    const ports = { settings, clock, syntax }
    if (!(await agrees(foreseeCalibration(ports), settings.model, flags, terminal))) {
      terminal.say('Nothing was asked.')
      return 2
    }
    const { signal } = new AbortController()
    const about = { baseUrl: settings.model.baseUrl, apiKey, settings: settings.model }
    const client = createOpenAIModel({ ...about, clock, random, signal })
    const told = tellAnswers(clock, terminal)
    const { calibration, usage } = await measureModel({ ...ports, model: client }, told)
    await keepCalibration(cacheDirectory(), calibration)
    if (flags.json) terminal.print(JSON.stringify({ ...calibration, usage }, null, 2))
    else terminal.print(calibrationTable(calibration))
    return 0
  } finally {
    await syntax.close()
  }
}

/** The repository's folder; outside of one, the configuration is flags and the environment. */
async function rootOf({ directory }: Terminal): Promise<string> {
  try {
    return (await findRepository(directory)).root
  } catch (error) {
    if (isError(error, 'not_a_repository', 'no_commits')) return directory
    throw error
  }
}

/** Tokens in a second: of a laptop without a graphics card, and of a service. */
const paces = { nearby: { reads: 60, writes: 10 }, service: { reads: 2_000, writes: 50 } }

/** Shows the cost and asks. @throws ExecutorError `bad_usage` without a terminal to ask at */
async function agrees(
  { requests, promptTokens, completionTokens, dollars }: CalibrationCost,
  { name, baseUrl }: { readonly name: string; readonly baseUrl: string },
  { yes }: Flags<'yes'>,
  terminal: Terminal,
): Promise<boolean> {
  const { reads, writes } = isNearby(baseUrl) ? paces.nearby : paces.service
  const minutes = Math.ceil((promptTokens / reads + completionTokens / writes) / 60)
  const money = dollars === null ? '' : `, $${dollars.toFixed(3)}`
  const size = `about ${rounded(promptTokens)} tokens to read and ${rounded(completionTokens)} to write${money}`
  const time = isNearby(baseUrl)
    ? `about ${minutes} min where a laptop reads ${reads} and writes ${writes} tokens a second`
    : `about ${minutes} min`
  terminal.say(`${requests} requests to ${name} at ${endpointAddress(baseUrl)}: ${size}; ${time}.`)
  if (yes === true) return true
  if (!terminal.isTTY) {
    throw new ExecutorError(
      'bad_usage',
      'There is no terminal to ask at: add --yes to measure the model.',
    )
  }
  const answer = await askAtTerminal('Measure it now? [Y/n] ')
  return answer !== null && !/^\s*n/i.test(answer)
}

const rounded = (tokens: number): string => (Math.ceil(tokens / 100) * 100).toLocaleString('en')

const names: Readonly<Record<JudgedAnswer['ability'], string>> = {
  ...{ whole: 'whole file', edits: 'edits', function: 'function' },
  ...{ json: 'JSON', tools: 'tool call', repairs: 'repair' },
}

/** A line for each answer, with the time that is left at the pace so far. */
function tellAnswers({ monotonic }: Pick<Clock, 'monotonic'>, { say, paint }: Terminal) {
  const began = monotonic()
  return ({ ability, about, good, why }: JudgedAnswer, done: number, all: number): void => {
    const seconds = Math.ceil(((monotonic() - began) / done) * (all - done))
    const left = done === all ? '' : paint('dim', ` (${seconds} s left)`)
    const mark = good ? paint('green', '✔') : paint('yellow', '✖')
    const count = `${done}/${all}`.padStart(5)
    say(`${count} ${mark} ${names[ability].padEnd(10)} ${about}: ${why.slice(0, 120)}${left}`)
  }
}
