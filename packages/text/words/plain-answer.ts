/** Marks around the thoughts that a model writes in front of its answer. */
const thoughts: readonly (readonly [open: RegExp, close: RegExp])[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map(
    (name) => [new RegExp(`^\\s*<${name}>`, 'i'), new RegExp(`</${name}>`, 'i')] as const,
  ),
  [/^\s*\[think\]/i, /\[\/think\]/i],
  [/^\s*◁think▷/, /◁\/think▷/],
  [/^\s*<\|begin_of_thought\|>/, /<\|end_of_thought\|>/],
  [/^\s*<\|channel>thought/, /<channel\|>/],
]

/** Marks that end thoughts without an opening one, alone on their line: some endpoints swallow that. */
const closings =
  /^[ \t]*(?:<\/(?:think(?:ing)?|seed:think)>|\[\/think\]|◁\/think▷|\[begin final response\])[ \t]*$/im

/** A byte order mark, and the marks of a turn's start. */
const starts = /^\uFEFF?(?:\s*(?:<\|im_start\|>assistant\s*?\n|<\|begin_of_box\|>))?/

/** Marks of a turn's end that servers with a wrong template leave in the text. */
const stops: readonly string[] = [
  ...['<|return|>', '<|end|>', '<|im_end|>', '<|eot_id|>', '<|endoftext|>', '<|end_of_text|>'],
  ...[
    '<end_of_turn>',
    '</s>',
    '<|eom_id|>',
    '<|end_of_box|>',
    '<｜end▁of▁sentence｜>',
    '[end final response]',
  ],
]

/**
 * The answer without the format of its model: without the thoughts that come first (`<think>` and its kin, the channels
 * of gpt-oss) and the marks of its end, and with calls of tools as fences of JSON. Empty where thoughts do not end.
 * Linear in the text.
 */
export const plainAnswer = (text: string): string => fenceCalls(withoutThoughts(text))

function withoutThoughts(text: string): string {
  let answer = withoutStops(readChannels(text.replace(starts, '')))
  for (;;) {
    const close = thoughts.find(([open]) => open.test(answer))?.[1]
    if (close === undefined) break
    const end = close.exec(answer)
    if (end === null) return ''
    answer = answer.slice(end.index + end[0].length)
  }
  const end = closings.exec(answer)
  if (end === null) return answer
  const fences = answer.slice(0, end.index).match(/^[ \t]*(?:`{3,}|~{3,})/gm) ?? []
  return fences.length % 2 === 0 ? answer.slice(end.index + end[0].length) : answer
}

function withoutStops(text: string): string {
  const end = text.trimEnd()
  const stop = stops.find((mark) => end.toLowerCase().endsWith(mark))
  return stop === undefined ? text : withoutStops(end.slice(0, -stop.length))
}

const harmony = /^\s*(?:<\|start\|>|<\|channel\|>|(?:analysis|commentary|final)<\|message\|>)/

/** What the channels say to the user; where nothing does, the calls of tools, each as a fence of JSON. */
function readChannels(text: string): string {
  // Some servers remove the marks alone.
  const bare = /^\s*analysis(?=[A-Z"'\s])[\s\S]*?assistant\s?final/.exec(text)
  if (bare !== null) return text.slice(bare[0].length)
  if (!harmony.test(text)) return text
  const messages = readMessages(text)
  const said = messages.filter(({ channel, tool }) => channel === 'final' && tool === '')
  const calls = messages.filter(({ tool }) => tool !== '')
  const beside = messages.filter(({ channel, tool }) => channel === 'commentary' && tool === '')
  const shown = said.length + calls.length > 0 ? said : beside
  return [...shown.map(({ body }) => body), ...calls.map(fenceCall)].join('\n\n')
}

/** `assistant<|channel|>commentary to=functions.grep <|constrain|>json<|message|>{…}<|call|>` */
function readMessages(text: string) {
  const [first = '', ...rest] = text.split('<|message|>')
  let head = first
  return rest.map((part) => {
    const [channel = ''] = /analysis|commentary|final/.exec(head) ?? []
    const [, tool = ''] = /\bto=(?:functions\.)?([\w-]+)/.exec(head) ?? []
    const end = part.search(/<\|(?:start|end|return|call|channel)\|>/)
    head = end < 0 ? '' : part.slice(end)
    const body = end < 0 ? part : part.slice(0, end)
    return { channel, tool, body, given: body }
  })
}

/** Calls of tools that a server leaves in the text, in the format that the model learnt. */

interface Call {
  readonly tool: string
  /** JSON. */
  readonly given: string
}

/** A call as the fence of JSON that every reader of answers knows. */
const fenceCall = ({ tool, given }: Call): string => {
  const json = `{"tool": ${JSON.stringify(tool)}, "arguments": ${given.trim() || '{}'}}`
  // The same JSON: such characters are in its texts only.
  return `\n\`\`\`json\n${json.replaceAll('```', '\\u0060\\u0060\\u0060')}\n\`\`\`\n`
}

type Read = (inner: string) => Call | null

/** A mark separates the name from the JSON. */
const split =
  (mark: string): Read =>
  (inner) => {
    const at = inner.indexOf(mark)
    const [tool = ''] = /[\w-]+(?=[:\s]|$)/.exec(inner.slice(0, at)) ?? []
    const given = inner.slice(at + mark.length)
    return at < 0
      ? null
      : { tool, given: given.slice(given.indexOf('{'), given.lastIndexOf('}') + 1) }
  }

/** The name comes first, then an element for each argument, of which this is all up to its end. */
const fields =
  (element: RegExp, close: string): Read =>
  (inner) => {
    const [tool = ''] = /^[\w-]+/.exec(inner) ?? []
    const given = inner.split(close).flatMap((piece) => {
      const [, name, value = ''] = element.exec(piece) ?? []
      return name === undefined ? [] : [[name.trim(), value.replace(/^\n|\n$/g, '')]]
    })
    return tool === '' ? null : { tool, given: JSON.stringify(Object.fromEntries(given)) }
  }

/** Kimi, DeepSeek, Qwen, GLM and Anthropic. */
const forms: readonly (readonly [open: string, close: string, read: Read])[] = [
  ['<|tool_call_begin|>', '<|tool_call_end|>', split('<|tool_call_argument_begin|>')],
  ['<｜tool▁call▁begin｜>function<｜tool▁sep｜>', '<｜tool▁call▁end｜>', split('\n')],
  ['<function=', '</function>', fields(/<parameter=([^<>]{1,60})>([\s\S]*)$/, '</parameter>')],
  [
    ...(['<invoke name="', '</invoke>'] as const),
    fields(/<parameter name="([^<>"]{1,60})">([\s\S]*)$/, '</parameter>'),
  ],
  [
    ...(['<tool_call>', '</tool_call>'] as const),
    fields(/<arg_key>([^<>]{1,60})<\/arg_key>\s*<arg_value>([\s\S]*)$/, '</arg_value>'),
  ],
]

/** Marks of Mistral and Llama in front of JSON. */
const marks = /^\s*(?:\[TOOL_CALLS\](?=\s*[[{])|<\|python_tag\|>)/

/** The answer with each such call as a fence; text behind the start of a fence belongs to a file. Linear in the text. */
function fenceCalls(answer: string): string {
  const text = answer.replace(marks, '')
  const named = /^\s*\[TOOL_CALLS\]([\w-]{1,60})\[ARGS\](\{[\s\S]*\})\s*$/.exec(text)
  if (named !== null) return fenceCall({ tool: named[1] ?? '', given: named[2] ?? '' })
  return forms.reduce(rewrite, text)
}

function rewrite(text: string, [open, close, read]: (typeof forms)[number]): string {
  let written = ''
  let from = 0
  for (;;) {
    const at = text.indexOf(open, from)
    const end = at < 0 ? -1 : text.indexOf(close, at)
    if (end < 0 || text.slice(from, at).includes('```')) return written + text.slice(from)
    const call = read(text.slice(at + open.length, end))
    written += text.slice(from, at)
    from = end + close.length
    written += call === null ? text.slice(at, from) : fenceCall(call)
  }
}
