/** Calls of tools that a server leaves in the text, in the format that the model learnt. */

interface Call {
  readonly tool: string
  /** JSON. */
  readonly given: string
}

/** A call as the fence of JSON that every reader of answers knows. */
export const fenceCall = ({ tool, given }: Call): string => {
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
export function fenceCalls(answer: string): string {
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
