import type { Finding } from './finding.ts'

const classify = 'src/graph/nodes/recover/classify-failure.ts'
const classifyTest = 'test/graph/nodes/recover/classify-failure.test.ts'
const strategy = 'src/recovery/task/choose-strategy.ts'
const decide = 'src/graph/nodes/finish/decide-next.ts'
const decideTest = 'test/graph/nodes/finish/decide-next.test.ts'
const verify = 'src/graph/nodes/attempt/verify-task.ts'
const verifyTest = 'test/graph/nodes/attempt/verify-task.test.ts'
const readable = 'src/model/ask/ask-readable.ts'
const readableTest = 'test/model/ask/ask-readable.test.ts'

const askTest = 'test/model/ask/ask-model.test.ts'
const askForDraftTest = 'test/graph/parts/ask-for-draft.test.ts'
const execute = 'src/graph/nodes/attempt/execute-task.ts'
const compose = 'src/model/prompts/compose-prompt.ts'
const repairTest = 'src/graph/nodes/attempt/repair-test.ts'
const sampleTest = 'test/graph/parts/draw-sample.test.ts'
const nextRequest = 'src/recovery/step/next-request.ts'
const nextRequestTest = 'test/recovery/step/next-request.test.ts'
const bestTest = 'test/graph/nodes/attempt/best-draft.test.ts'

/** What recovery made worse with a model that people run on a laptop. */
export const weakModels: readonly Finding[] = [
  {
    of: 'W1',
    name: 'a way out is offered before anything is known of the tests',
    file: compose,
    find: 'Do not touch files the task does not need.`',
    replace: 'Do not touch files the task does not need. If it is done, reply NOTHING_TO_DO`',
    ...{ test: askForDraftTest, only: '"nothing to do"' },
  },
  {
    of: 'W2',
    name: 'a claim that red tests refute ends the attempt',
    file: verify,
    find: "? found('refuted', message)",
    replace: "? found('unproven', message)",
    ...{ test: verifyTest, only: 'refuted' },
  },
  {
    of: 'W2',
    name: 'a claim before tests of its file that were red is believed',
    file: verify,
    find: 'const concerns = await unchangedTargets(attempt, ports)',
    replace: 'const concerns = (await unchangedTargets(attempt, ports)).slice(0, 0)',
    ...{ test: verifyTest, only: 'refuted by tests of its file' },
  },
  {
    of: 'W2',
    name: 'the request after a refuted claim does not name the red tests',
    file: execute,
    find: "if (failure?.at === 'refuted') {",
    replace: "if (failure?.at === 'refuted' && failure.failures.length > 9) {",
    ...{ test: askForDraftTest, only: 'refuted it' },
  },
  {
    of: 'W3',
    name: 'small files are asked for in edits',
    file: 'src/model/size/choose-form.ts',
    find: 'each <= small)',
    replace: 'each <= 0)',
    ...{ test: 'test/model/size/choose-form.test.ts', only: 'the form of an answer' },
  },
  {
    of: 'W3',
    name: 'an answer that cannot be used is asked for in the same form',
    file: nextRequest,
    find: 'return isNew\n',
    replace: 'return isNew && attempt.requests.length > 99\n',
    ...{ test: nextRequestTest, only: 'after an unusable answer' },
  },
  {
    of: 'W4',
    name: 'tests stand among the files to change',
    file: 'src/model/prompts/draft.ts',
    find: "isReadOnly(path, input) ? 'tests' : 'code'",
    replace: "isReadOnly(path, input) && path === '' ? 'tests' : 'code'",
    ...{ test: askForDraftTest, only: 'shows an existing test' },
  },
  {
    of: 'W4',
    name: 'a request does not end with the file to write',
    file: 'src/model/prompts/draft.ts',
    find: 'askForFiles(input.targets, input.form),',
    replace: 'askForFiles([], input.form),',
    ...{ test: askForDraftTest, only: 'a request for a change' },
  },
  {
    of: 'W5',
    name: 'an attempt sends the same request twice',
    file: 'src/model/ask/note-answer.ts',
    find: 'if (!asked.has(digest)) return { sample, digest }',
    replace: 'if (!asked.has(digest) || sample === least) return { sample, digest }',
    ...{ test: askTest, only: 'sends no request twice' },
  },
  {
    of: 'W5',
    name: 'a request that differs in numbers alone counts as another',
    file: 'src/model/ask/identify-request.ts',
    find: "[role, content.replaceAll(/\\d+/g, '#')]",
    replace: '[role, content]',
    ...{ test: askTest, only: 'sends no request twice' },
  },
  {
    of: 'W5',
    name: 'a model may repeat a failed draft until its tests run again',
    file: repairTest,
    find: 'if (isNothing || (isKnown && draft.refusals.length === 0)) {',
    replace: 'if (isNothing || (isKnown && draft.refusals.length > 0)) {',
    ...{ test: sampleTest, only: 'counts as repeated' },
  },
  {
    of: 'W5',
    name: 'a repeated draft ends the attempt',
    file: repairTest,
    find: "? 'repeated' : 'failed'",
    replace: "? 'failed' : 'failed'",
    ...{ test: sampleTest, only: 'counts as repeated' },
  },
  {
    of: 'W5',
    name: 'an attempt asks more often than its limits say',
    file: nextRequest,
    find: "requests.filter(({ rung }) => rung === 'red_tests').length",
    replace: 'requests.filter(() => false).length',
    ...{ test: 'test/runs/weak-answers.test.ts', only: 'as often as the limits allow' },
  },
  {
    of: 'W5',
    name: 'a worse draft takes the place of the best',
    file: verify,
    find: 'before !== null && before.broken.length <= broken.length',
    replace: 'before !== null && before.broken.length > 99',
    ...{ test: bestTest, only: 'of several drafts' },
  },
  {
    of: 'W5',
    name: 'an attempt ends with its last draft, not its best',
    file: verify,
    find: 'if (!isSpent || best === null',
    replace: 'if (isSpent || best === null',
    ...{ test: bestTest, only: 'the best is kept' },
  },
  {
    of: 'W6',
    name: 'the output of a failure is that of tests which are red for other tasks',
    file: 'packages/judge/verdict/verify-change.ts',
    find: 'outputWithoutOthers(report, compared.broken)',
    replace: "report.commands.map(({ tail }) => tail).join('\\n')",
    ...{ test: verifyTest, only: 'but for their number' },
  },
  {
    of: 'W6',
    name: 'a task has to turn the tests of the functions beside its own green',
    file: verify,
    find: '{ ...attempt, concerns, others }',
    replace: '{ ...attempt, concerns, ...(others.length > 9 && { others }) }',
    ...{ test: verifyTest, only: 'functions beside its own' },
  },
  {
    of: 'W6',
    name: 'a receipt lists the tests that are red for other tasks',
    file: 'packages/judge/compare/compare.ts',
    find: 'exitCode !== 0 && !hasOthers(command, broken)',
    replace: 'exitCode !== 0 && (broken.length > 0 || hasOthers(command, []))',
    ...{ test: 'packages/judge/test/compare/compare.test.ts', only: 'what a reviewer should know' },
  },
  {
    of: 'W7',
    name: 'a task about one file is split',
    file: strategy,
    find: "strategy === 'DECOMPOSE' && isOnePiece(task)",
    replace: "strategy === 'DECOMPOSE' && isOnePiece(task) && retried.length > 99",
    ...{ test: 'test/graph/nodes/recover/propose-recovery.test.ts', only: 'splits no task' },
  },
  {
    of: 'W7',
    name: 'a task that gets another model waits for itself',
    file: 'src/roadmap/load-roadmap.ts',
    find: 'id === task.id ? [] : ',
    replace: '',
    test: 'test/graph/nodes/recover/apply-recovery.test.ts',
    only: 'tried with it',
  },
  {
    of: 'W7',
    name: 'a model takes over from the one that a task names',
    file: strategy,
    find: '  attempt.task.model === null &&\n',
    replace: '',
    test: 'test/graph/nodes/recover/propose-recovery.test.ts',
    only: 'keeps the model',
  },
  {
    of: 'W7',
    name: 'the same unusable answer is read again',
    file: readable,
    find: 'again.text.trim() === first.text.trim()',
    replace: "again.text.trim() === ''",
    ...{ test: readableTest, only: 'is read once' },
  },
  {
    of: 'W7',
    name: 'the second request says what is wrong in the middle',
    file: readable,
    find: 'with nothing but ${form}\\nYour last answer cannot be used: ${problem}.`',
    replace: 'since ${problem}, with nothing but ${form}`',
    ...{ test: readableTest, only: 'is asked for once more' },
  },
  {
    of: 'W7',
    name: 'a model is asked why it failed at a clear task',
    file: classify,
    find: '  if (!isTold) return',
    replace: '  if (!isTold || attempt.number > 0) return',
    ...{ test: classifyTest, only: 'asks no one why' },
  },
  {
    of: 'W7',
    name: 'a run goes on with a model that brings nothing usable',
    file: decide,
    find: '...(!finished && broughtNothing(attempt) && { unusable: true }),',
    replace: '...(!finished && broughtNothing(attempt) && finished && { unusable: true }),',
    ...{ test: decideTest, only: 'without a usable answer' },
  },
  {
    of: 'W7',
    name: 'tasks that only lack a better model wait for a person',
    file: decide,
    find: 'hopeless.ids, ports)',
    replace: '[], ports)',
    ...{ test: decideTest, only: 'without a usable answer' },
  },
  {
    of: '33',
    name: 'a new file of Go names a package of its own',
    file: 'packages/judge/answer/loss/mend-package.ts',
    find: 'text.slice(0, found.index) + line +',
    replace: 'text.slice(0, found.index) + found[0] +',
    test: 'packages/judge/test/answer/loss/mend-package.test.ts',
  },
  {
    of: '33',
    name: 'a package that the answer renames as a whole is named back',
    file: 'packages/judge/answer/read-draft.ts',
    find: 'there.filter((path) => !written.includes(path))',
    replace: 'there',
    test: 'packages/judge/test/answer/loss/mend-package.test.ts',
  },
  {
    of: '33',
    name: 'a test is left without the import of what its change adds',
    file: 'packages/judge/answer/read-draft.ts',
    find: 'importNewNames(mergeChangeSets(base, kept))',
    replace: 'mergeChangeSets(base, kept)',
    ...{ test: 'packages/judge/test/answer/loss/mend-imports.test.ts', only: 'an answer' },
  },
  {
    of: '33',
    name: 'the signature of a method counts as a use of its name',
    file: 'packages/judge/answer/loss/mend-imports.ts',
    find: String.raw`\\s*[{:])`,
    replace: String.raw`\\s*\\{)`,
    ...{ test: 'packages/judge/test/answer/loss/mend-imports.test.ts', only: 'names of methods' },
  },
  {
    of: '33',
    name: 'an answer that changes no file of the task is repaired',
    file: 'src/graph/nodes/attempt/repair-code.ts',
    find: 'draft.changes.length === 0 || isElsewhere(attempt)',
    replace: 'draft.changes.length === 0',
    ...{ test: 'test/graph/nodes/attempt/repair-code.test.ts', only: 'an answer that changes' },
  },
  {
    of: '33',
    name: 'a repair of a whole file may be as long as any answer',
    file: 'src/graph/nodes/attempt/repair-code.ts',
    find: "{ purpose: 'repair_code', messages, ...room }",
    replace: "{ purpose: 'repair_code', messages }",
    ...{ test: 'test/graph/nodes/attempt/repair-code.test.ts', only: 'an answer that changes' },
  },
  {
    of: '33',
    name: 'fences without end count as data',
    file: 'src/adapters/openai/find-repetition.ts',
    find: "if (piece.trim() !== '' && closers.test(piece)) return false",
    replace: '',
    test: 'test/adapters/openai/find-repetition.test.ts',
  },
]
