import { scoreDestructive } from './destructive.ts'
import { scoreHiddenText } from './hidden-text.ts'
import { scoreJsonFiles } from './json-files.ts'
import { scoreMarkdownExamples } from './markdown-examples.ts'
import { scoreNaughtyStrings } from './naughty-strings.ts'
import { scoreRealFiles } from './real-files.ts'
import { scoreReplies } from './replies.ts'
import type { Score } from './score.ts'
import { scoreScriptFiles } from './script-files.ts'
import { scoreValidation } from './validation.ts'
import { scoreYamlFiles } from './yaml-files.ts'

/** Every score, by the name that `npm run scores -- --only NAME` takes. */
export const allScores: Readonly<Record<string, () => Promise<Score>>> = {
  'script-files': scoreScriptFiles,
  'json-files': scoreJsonFiles,
  'yaml-files': scoreYamlFiles,
  validation: scoreValidation,
  'real-files': () => scoreRealFiles(),
  'markdown-examples': scoreMarkdownExamples,
  'naughty-strings': scoreNaughtyStrings,
  replies: scoreReplies,
  'hidden-text': scoreHiddenText,
  destructive: () => scoreDestructive(),
}
