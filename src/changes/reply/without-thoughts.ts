const opening = /^\s*<(think|thinking|thought|reasoning)>/i

/**
 * The answer without the thoughts a reasoning model puts first. Some endpoints swallow the
 * opening tag: then all before a closing tag alone on its line is thought, if no block is
 * open there.
 */
export function withoutThoughts(text: string): string {
  const answer = text.replace(/^\uFEFF/, '')
  const tag = opening.exec(answer)?.[1]
  if (tag !== undefined) {
    const closing = `</${tag.toLowerCase()}>`
    const end = answer.toLowerCase().indexOf(closing)
    return end < 0 ? '' : withoutThoughts(answer.slice(end + closing.length))
  }
  const end = /^[ \t]*<\/think(?:ing)?>[ \t]*$/im.exec(answer)
  if (end === null) return answer
  const fences = answer.slice(0, end.index).match(/^[ \t]*(?:`{3,}|~{3,})/gm) ?? []
  return fences.length % 2 === 0 ? answer.slice(end.index + end[0].length) : answer
}
