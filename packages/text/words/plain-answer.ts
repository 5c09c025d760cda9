import { fenceCall, fenceCalls } from './spelled-calls.ts'

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
