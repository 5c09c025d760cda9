/** Whole files, by what names them. */
import type { FileChange } from '../answer.ts'
import { cannotSay } from '../replay/write-answer.ts'
import { commentIn, eachChange, fenced, languageOf, type Wrapping } from './wrapping.ts'

const aider = 'https://aider.chat/docs/more/edit-formats.html'
const proceed =
  'https://github.com/continuedev/continue/blob/main/core/llm/defaultSystemMessages.ts'
const cursor = 'https://github.com/x1xhlol/system-prompts-and-models-of-ai-tools'
const bolt = 'https://github.com/stackblitz/bolt.new/blob/main/app/lib/.server/llm/prompts.ts'
const cline = 'https://github.com/RooCodeInc/Roo-Code/issues/147'
const roo = 'https://github.com/RooCodeInc/Roo-Code/pull/175'

function files(
  name: string,
  seen: string | null,
  write: (path: string, text: string, change: FileChange) => string | null,
): Wrapping {
  const each = eachChange((change) => write(change.path, change.after ?? '', change))
  return {
    ...{ name, seen },
    write: (changes) => (cannotSay('files', changes) === null ? each(changes) : null),
  }
}

const above = (name: string, seen: string | null, header: (path: string) => string): Wrapping =>
  files(name, seen, (path, text) => `${header(path)}\n${fenced(languageOf(path), text)}\n`)

const info = (name: string, seen: string | null, write: (path: string) => string): Wrapping =>
  files(name, seen, (path, text) => `${fenced(write(path), text)}\n`)

const json = (
  name: string,
  seen: string | null,
  write: (changes: readonly FileChange[]) => unknown,
  isFenced: boolean,
): Wrapping => ({
  ...{ name, seen },
  write(changes) {
    const isSaid = cannotSay('files', changes) === null
    if (!isSaid || changes.some(({ after }) => after === null)) return null
    const text = `${JSON.stringify(write(changes), null, 2)}\n`
    return isFenced ? fenced('json', text) : text
  },
})

export const fileWrappings: readonly Wrapping[] = [
  above('file: path above the fence', aider, (path) => path),
  above('file: heading', null, (path) => `### ${path}`),
  above('file: bold with a colon', null, (path) => `**${path}:**`),
  above('file: heading with back-ticks', null, (path) => `## \`${path}\``),
  above('file: numbered', null, (path) => `1. **\`${path}\`**`),
  above('file: File:', null, (path) => `File: ${path}`),
  above('file: a sentence', null, (path) => `Here is the updated \`${path}\`:\n`),
  info('file: path behind the language', proceed, (path) => `${languageOf(path)} ${path}`),
  info('file: language:path', cursor, (path) => `${languageOf(path)}:${path}`),
  info('file: title', null, (path) => `${languageOf(path)} title="${path}"`),
  info('file: path alone', proceed, (path) => path),
  files('file: a comment in the first line', null, (path, text, { before }) => {
    const comment = commentIn(path, path)
    const isFree = comment !== null && !/^(?:#!|<\?)/.test(before ?? text)
    return isFree ? `${fenced(languageOf(path), `${comment}\n${text}`)}\n` : null
  }),
  files('file: tag with a path', 'https://repomix.com/guide/output', (path, text) =>
    text.includes('</file>') ? null : `<file path="${path}">\n${text}</file>\n\n`,
  ),
  files('file: boltAction', bolt, (path, text) =>
    text.includes('</bolt')
      ? null
      : `<boltArtifact id="change" title="Change">\n<boltAction type="file" filePath="${path}">${text}</boltAction>\n</boltArtifact>\n\n`,
  ),
  files('file: write_to_file', cline, (path, text) =>
    text.includes('</content>')
      ? null
      : `<write_to_file>\n<path>${path}</path>\n<content>\n${text}</content>\n</write_to_file>\n\n`,
  ),
  files('file: write_to_file with a count', roo, (path, text) =>
    text.includes('</content>')
      ? null
      : `<write_to_file>\n<path>${path}</path>\n<content>\n${text}</content>\n<line_count>${text.split('\n').length}</line_count>\n</write_to_file>\n\n`,
  ),
  json(
    'JSON: files',
    null,
    (changes) => ({
      files: changes.map(({ path, after }) => ({ path, content: after })),
    }),
    true,
  ),
  json(
    'JSON: a map of paths',
    null,
    (changes) => Object.fromEntries(changes.map(({ path, after }) => [path, after])),
    false,
  ),
  json(
    'JSON: a call for each',
    null,
    (changes) =>
      changes.map(({ path, after }) => ({
        type: 'function',
        function: { name: 'write_file', arguments: JSON.stringify({ path, content: after }) },
      })),
    false,
  ),
  files('file: tildes', aider, (path, text) => `${path}\n${fenced(languageOf(path), text, '~')}\n`),
  files('file: four back-ticks', aider, (path, text) =>
    /^\s*````/m.test(text) ? null : `${path}\n\`\`\`\`${languageOf(path)}\n${text}\`\`\`\`\n\n`,
  ),
  {
    ...{ name: 'file: all in a fence of Markdown', seen: null },
    write(changes) {
      if (cannotSay('files', changes) !== null) return null
      const text = eachChange(
        ({ path, after }) => `${path}\n${fenced(languageOf(path), after ?? '')}\n`,
      )(changes)
      return text === null ? null : fenced('markdown', text)
    },
  },
]
