import type { Finding } from './finding.ts'

const repetition = 'src/adapters/openai/find-repetition.ts'
const repetitionTest = 'test/adapters/openai/find-repetition.test.ts'
const endpoint = 'src/adapters/openai/endpoint.ts'
const model = 'src/adapters/openai-model.ts'
const modelTest = 'test/adapters/openai-model.test.ts'
const speed = 'src/adapters/openai/speed.ts'
const speedTest = 'test/adapters/openai/speed.test.ts'
const deadline = 'src/adapters/openai/deadline.ts'
const deadlineTest = 'test/adapters/openai/deadline.test.ts'

/** What weak models and slow servers do. */
export const endpoints: readonly Finding[] = [
  {
    of: '33.5',
    name: 'a model that repeats itself is read to its end',
    file: endpoint,
    find: 'if (reader.isRepeating) return { runaway: true, firstAt }',
    replace: '',
    ...{ test: modelTest, only: 'that repeats itself' },
  },
  {
    of: '33.5',
    name: 'the zeros of a matrix are cut off',
    file: repetition,
    find: '!judged.isData || length >= mostData',
    replace: 'true',
    test: repetitionTest,
  },
  {
    of: '33.5',
    name: 'an answer that was cut off counts as one that is only long',
    file: model,
    find: '...(runaway && { runaway: true as const }),',
    replace: '',
    ...{ test: modelTest, only: 'that repeats itself' },
  },
  {
    of: '33.5',
    name: 'a resumed run takes a cut answer for one that is only long',
    file: 'src/model/ask/ask-model.ts',
    find: '  ...(runaway && { runaway }),\n  ...(promptSpeed',
    replace: '  ...(promptSpeed',
    ...{ test: 'test/model/ask/ask-model.test.ts', only: 'that an answer ran away' },
  },
  {
    of: '33.5',
    name: 'a model is shown its repetition and continues it',
    file: 'src/model/ask/ask-readable.ts',
    find: "first.runaway ? '' : first.text",
    replace: 'first.text',
    ...{ test: 'test/model/ask/ask-readable.test.ts', only: 'without a repetition' },
  },
  {
    of: '33.9',
    name: 'a server that reads a long prompt counts as silent',
    file: speed,
    find: 'wholeSeconds(Math.max(stallSeconds, reading))',
    replace: 'wholeSeconds(stallSeconds)',
    ...{ test: speedTest, only: 'follows the measured speed' },
  },
  {
    of: '33.9',
    name: 'a cached prompt makes a server look fast',
    file: speed,
    find: 'slower(known.slowestPrompt, now.prompt)',
    replace: 'now.prompt',
    ...{ test: speedTest, only: 'the slowest for limits' },
  },
  {
    of: '33.9',
    name: 'the headers of a slow server start the time of a stall',
    file: deadline,
    find: '!(isFirstFixed || isEarly)',
    replace: '!isFirstFixed',
    ...{ test: deadlineTest, only: 'its own time' },
  },
  {
    of: '33.9',
    name: 'signs of life extend a time that was set',
    file: deadline,
    find: '!(isFirstFixed || isEarly)',
    replace: '!isEarly',
    ...{ test: deadlineTest, only: 'a time that was set' },
  },
  {
    of: '33.9',
    name: "Node's client gives up before the deadline",
    file: 'src/adapters/openai/patient-fetch.ts',
    find: '{ ...options, headersTimeout: 0, bodyTimeout: 0 }',
    replace: 'options',
    test: 'test/adapters/openai/patient-fetch.test.ts',
  },
  {
    of: '33.9',
    name: 'a slow server is shown as much code as a fast one',
    file: 'src/model/budget/check-budget.ts',
    find: 'Math.min(half, most, read, ',
    replace: 'Math.min(half, most, ',
    ...{ test: 'test/model/budget/check-budget.test.ts', only: 'in a minute' },
  },
  {
    of: '33.9',
    name: 'a resumed run does not know the speed of its server',
    file: 'src/model/ask/ask-model.ts',
    find: 'noteAnswer(state, { ...known, ...asked }, booked)',
    replace: 'noteAnswer(state, asked, booked)',
    ...{ test: 'test/model/ask/ask-model.test.ts', only: 'knows how fast' },
  },
  {
    of: '33.9',
    name: 'the window of a local server is not known before it refuses a prompt',
    file: 'src/runs/run-roadmap.ts',
    find: 'window === null ? {} : { [name]: window }',
    replace: '{}',
    ...{ test: 'test/runs/run-roadmap.test.ts', only: 'what its server takes' },
  },
  {
    of: '33.9',
    name: 'what a model could have counts as the window that Ollama gives it',
    file: 'src/adapters/openai/read-window.ts',
    find: '?? usualOfOllama',
    replace: '?? most ?? usualOfOllama',
    ...{ test: 'test/adapters/openai/read-window.test.ts', only: 'as it is usual' },
  },
  {
    of: '33.9',
    name: 'the next run does not know how slow its server is',
    file: 'src/runs/run-roadmap.ts',
    find: '...(speeds && { speeds })',
    replace: '',
    ...{ test: 'test/runs/run-roadmap.test.ts', only: 'how fast its server was' },
  },
  {
    of: '33.9',
    name: 'a person with a key is offered a server that they did not name',
    file: 'src/entry/cli/commands/init.ts',
    find: "baseUrl === null && (environment.OPENAI_API_KEY ?? '') === ''",
    replace: 'baseUrl === null',
    ...{ test: 'test/entry/cli/local-models.test.ts', only: 'with a key' },
  },
  {
    of: '33.10',
    name: 'a model that cannot edit is asked for edits of a file that it could send whole',
    file: 'src/graph/parts/ask-for-draft.ts',
    find: 'state.learned.forms?.[modelFor(state, settings)]',
    replace: 'undefined',
    ...{ test: 'test/graph/parts/ask-for-draft.test.ts', only: 'the model that the task is for' },
  },
  {
    of: '33.10',
    name: 'a calibration of another address counts',
    file: 'src/adapters/calibration-file.ts',
    find: 'each.model === name && each.baseUrl === address',
    replace: 'each.model === name',
    ...{ test: 'test/adapters/calibration-file.test.ts', only: 'another address' },
  },
  {
    of: '33.5',
    name: 'a repair that copies the faulty code is followed by another that shows it',
    file: 'src/recovery/step/note-repair.ts',
    find: "return last?.worked === false && last.tried === ''",
    replace: "return last?.worked === false && last.tried === 'never'",
    ...{ test: 'test/graph/nodes/attempt/repair-code.test.ts', only: 'draws another sample' },
  },
]
