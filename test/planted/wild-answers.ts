import type { Finding } from './finding.ts'

const ends = 'src/adapters/openai/answer-ends.ts'
const reader = 'src/adapters/openai/answer-reader.ts'
const words = 'src/adapters/openai/answer-ends.ts'
const body = 'src/adapters/openai/request-body.ts'
const model = 'src/adapters/openai-model.ts'
const endpoint = 'src/adapters/openai/endpoint.ts'
const draft = 'packages/judge/answer/read-draft.ts'
const plain = 'packages/text/words/plain-answer.ts'
const validate = 'src/graph/nodes/attempt/validate-code.ts'
const endsTest = 'test/adapters/openai/answer-ends.test.ts'
const wordsTest = 'test/adapters/openai/error-words.test.ts'
const bodyTest = 'test/adapters/openai/request-body.test.ts'
const draftTest = 'packages/judge/test/answer/early-ends.test.ts'
const plainTest = 'packages/text/test/words/plain-answer.test.ts'
const validateTest = 'test/graph/nodes/attempt/validate-code.test.ts'

/** How answers of other people's endpoints and models end, and what they are written in. */
export const wildAnswers: readonly Finding[] = [
  {
    of: '37',
    name: 'half an answer is done',
    file: draft,
    find: "if (finish === 'length' && path !== undefined)",
    replace: "if (finish === 'length' && path === '')",
    ...{ test: draftTest, only: 'is asked for the rest' },
  },
  {
    of: '37',
    name: 'an answer that a filter ended is whole',
    file: model,
    find: "(ending !== 'whole' || ",
    replace: "(ending === 'cut' || ",
    ...{ test: endsTest, only: 'that a filter ends is a part' },
  },
  {
    of: '37',
    name: 'a cut answer is whole where its continuation is empty',
    file: model,
    find: "(continuations > 0 && last.trim() === '')",
    replace: 'false',
    ...{ test: endsTest, only: 'where nothing continues it' },
  },
  {
    of: '37',
    name: 'a word for a length in capitals is not known',
    file: ends,
    find: '.toLowerCase()',
    replace: '',
    test: endsTest,
  },
  {
    of: '37',
    name: 'a resumed run does not know why an answer is a part',
    file: 'src/model/ask/ask-model.ts',
    find: '  ...{ text, finish, usage },\n  ...(why && { why }),',
    replace: '  ...{ text, finish, usage },',
    ...{ test: 'test/model/ask/ask-model.test.ts', only: 'why an answer is a part' },
  },
  {
    of: '37',
    name: 'an error in a choice is an empty answer',
    file: reader,
    find: 'if (failed !== null && !isWhole)',
    replace: 'if (failed !== null && isWhole)',
    ...{ test: endsTest, only: 'an error in its choice' },
  },
  {
    of: '37',
    name: 'an endpoint that fails in words of its own has answered',
    file: reader,
    find: "if (this.ending === 'broken')",
    replace: "if (this.ending === 'broken' && this.#events === 0)",
    ...{ test: endsTest, only: 'an error without words' },
  },
  {
    of: '37',
    name: 'a model that knows no system role cannot be used',
    file: body,
    find: "messages: may('system') ? [...request.messages] : withoutSystem(request.messages)",
    replace: 'messages: [...request.messages]',
    test: bodyTest,
  },
  {
    of: '37',
    name: 'a limit of the answer that the endpoint names is not taken',
    file: body,
    find: 'if (most !== null && most < sent)',
    replace: 'if (most !== null && most < 0)',
    ...{ test: bodyTest, only: 'is no longer than' },
  },
  {
    of: '37',
    name: 'gpt-oss answers in channels that nobody reads',
    file: plain,
    find: 'withoutStops(readChannels(',
    replace: 'withoutStops((',
    test: plainTest,
  },
  {
    of: '37',
    name: 'a mark of an end spoils the last fence',
    file: plain,
    find: 'stop === undefined ? text :',
    replace: 'stop !== null ? text :',
    ...{ test: plainTest, only: 'end' },
  },
  {
    of: '37',
    name: 'a call of a tool in the format of a model is prose',
    file: plain,
    find: 'fenceCalls(withoutThoughts(text))',
    replace: 'withoutThoughts(text)',
    ...{ test: plainTest, only: 'a call' },
  },
  {
    of: '37',
    name: 'the words of a stream that breaks off are lost',
    file: reader,
    find: "this.#reason === '' ? findError(parseExactly(rest)) : null",
    replace: 'null',
    ...{ test: endsTest, only: 'a line of JSON' },
  },
  {
    of: '37',
    name: 'an event that is an error is read as an answer',
    file: reader,
    find: "(name === 'data' && this.#event === 'error')",
    replace: 'false',
    ...{ test: endsTest, only: 'an event of' },
  },
  {
    of: '37',
    name: 'a refusal is an empty answer',
    file: reader,
    find: 'this.#refusal += textOf(said.refusal)',
    replace: '',
    ...{ test: endsTest, only: 'only a refusal' },
  },
  {
    of: '37',
    name: 'an answer that is only a thought does not say so',
    file: 'packages/judge/answer/parse-reply.ts',
    find: "const { why = text.trim() === '' ? '' : 'the model wrote only its reasoning' } = options",
    replace: "const why = ''",
    ...{ test: draftTest, only: 'an empty answer' },
  },
  {
    of: '37',
    name: 'a prompt that a filter refuses ends the run',
    file: endpoint,
    find: 'if (failure.isFiltered) return',
    replace: 'if (failure.isSilence) return',
    ...{ test: endsTest, only: 'a filter refuses' },
  },
  {
    of: '37',
    name: 'a call in a broken form is asked for in the same way for ever',
    file: endpoint,
    find: "reader.ending === 'miscalled' && body.tools",
    replace: "reader.ending === 'miscalled' && false",
    ...{ test: endsTest, only: 'without tools' },
  },
  {
    of: '37',
    name: 'the words of the provider behind a router are lost',
    file: words,
    find: 'wordsWithin(jsonFields(metadata).raw)',
    replace: "''",
    ...{ test: wordsTest, only: 'OpenRouter' },
  },
  {
    of: '37',
    name: 'a person reads the code of a web page',
    file: words,
    find: "typeof message === 'string' ? readPage(message)",
    replace: "typeof message === 'string' ? message",
    ...{ test: wordsTest, only: 'takes the words' },
  },
  {
    of: '37',
    name: 'a refused part beside the task never goes away',
    file: draft,
    find: 'open.filter(({ path }) => needs(path))',
    replace: 'open',
    ...{ test: draftTest, only: 'is dropped' },
  },
  {
    of: '37',
    name: 'a malformed edit of a protected file is asked for again',
    file: validate,
    find: 'return forbidden ?? {',
    replace: 'return {',
    ...{ test: validateTest, only: 'may not be changed, where' },
  },
  {
    of: '37',
    name: 'a finished task fails for an answer that equals it',
    file: validate,
    find: 'draft.refusals.every(({ isEcho }) => isEcho) &&',
    replace: 'false &&',
    ...{ test: validateTest, only: 'for a claim' },
  },
  {
    of: '37',
    name: 'a claim is lost beside the file as it is',
    file: draft,
    find: 'reply.claimsDone || (applied.isIdle === true && saysNothing(answer))',
    replace: 'reply.claimsDone',
    ...{ test: draftTest, only: 'as it is, is a claim' },
  },
  {
    of: '37',
    name: 'the words for nothing to do become a file',
    file: 'packages/judge/answer/parse-reply.ts',
    find: 'each.content.trim() === nothing',
    replace: 'false',
    ...{ test: draftTest, only: 'in the place of a file' },
  },
]
