import { describe, expect, it } from 'vitest'
import { readTooLarge } from '../../../src/adapters/openai/read-failure.ts'

/** As endpoints have worded it, each with its status and code. */
const refusals: readonly [
  string,
  number | null,
  string | null,
  string,
  window: number | null,
  promptTokens: number | null,
][] = [
  [
    'OpenAI',
    400,
    'context_length_exceeded',
    "This model's maximum context length is 4097 tokens. However, you requested 4120 tokens (3120 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
    4097,
    3120,
  ],
  [
    'OpenAI, of the messages alone',
    400,
    null,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages.",
    8192,
    8545,
  ],
  [
    'OpenAI, newer',
    400,
    'context_length_exceeded',
    'Your input exceeds the context window of this model.',
    null,
    null,
  ],
  [
    'OpenAI, more than a minute may have',
    429,
    'rate_limit_exceeded',
    'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 132819. The input or output tokens must be reduced in order to run successfully.',
    30000,
    null,
  ],
  [
    'GitHub Models',
    413,
    'tokens_limit_reached',
    'Request body too large for gpt-4o model. Max size: 8000 tokens.',
    8000,
    null,
  ],
  [
    'OpenRouter',
    400,
    null,
    "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens (5000 of text input, 4000 in the output).",
    8192,
    5000,
  ],
  ['Anthropic', 400, null, 'prompt is too long: 213462 tokens > 200000 maximum', 200000, 213462],
  [
    'Gemini',
    400,
    null,
    'The input token count (2845475) exceeds the maximum number of tokens allowed (1048576).',
    1048576,
    2845475,
  ],
  [
    'Mistral',
    400,
    null,
    'Prompt contains 40,000 tokens and 0 draft tokens, too large for model with 32,768 maximum context length',
    32768,
    40000,
  ],
  [
    'xAI',
    400,
    null,
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    131072,
    null,
  ],
  ['Groq', 400, null, 'Please reduce the length of the messages or completion.', null, null],
  [
    'vLLM, of the answer',
    400,
    null,
    "'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 4096 tokens and your request has 1000 input tokens (4000 > 4096 - 1000).",
    4096,
    1000,
  ],
  [
    'SGLang',
    400,
    null,
    "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 4000 tokens from the input messages and 1000 tokens for the completion.",
    4096,
    4000,
  ],
  [
    'TGI',
    422,
    null,
    '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`',
    4096,
    5000,
  ],
  [
    'llama.cpp',
    400,
    'exceed_context_size_error',
    'request (131168 tokens) exceeds the available context size (131072 tokens), try increasing it',
    131072,
    131168,
  ],
  [
    'LM Studio, in a stream that began well',
    null,
    null,
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    4096,
    null,
  ],
  ['a proxy', 413, null, '<html>Request Entity Too Large</html>', null, null],
]

describe('a request that is more than the model can read', () => {
  it.each(refusals)(
    'is told in the words of %s',
    (_, status, code, message, window, promptTokens) => {
      expect(readTooLarge({ status, code, message })).toEqual({ window, promptTokens })
    },
  )

  it.each<[string, number | null, string]>([
    [
      'a length of the answer that no model has',
      400,
      'max_tokens is too large: 6000. This model supports at most 4096 completion tokens, whereas you provided 6000.',
    ],
    [
      'a rate limit',
      429,
      'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.',
    ],
    ['a key', 401, 'maximum context length'],
    ['a model', 404, 'The model gpt-9 does not exist. Its context length is 4096 tokens.'],
    ['an outage', 503, 'overloaded'],
    ['a broken stream', null, 'the answer ended early'],
    ['a parameter', 400, "Unknown parameter: 'stream_options'."],
  ])('is not %s', (_, status, message) => {
    expect(readTooLarge({ status, code: null, message })).toBeNull()
  })
})
