import type { FileProblem } from './text-checks.ts'

const directive =
  /^(?:-?include|sinclude|ifn?eq|ifn?def|else|endif|define|endef|export|unexport|override|private|vpath|undefine|load)\b/

/**
 * The first line that is no rule, variable, directive or recipe: make stops there with "missing
 * separator". Prose that slipped into the file is such a line.
 */
export function lookAtMakefile(text: string): readonly FileProblem[] {
  if (/^\.RECIPEPREFIX\b/m.test(text)) return []
  let isGoingOn = false
  let isDefinition = false
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const isPart = isGoingOn || isDefinition
    isGoingOn = line.endsWith('\\')
    if (/^\s*define\b/.test(line)) isDefinition = true
    if (/^\s*endef\b/.test(line)) isDefinition = false
    if (isPart || line.startsWith('\t') || isSound(line.trim())) continue
    const message = 'This line is no rule, variable or recipe (a recipe begins with a tab).'
    return [{ type: 'syntax', message, line: index + 1, column: 1 }]
  }
  return []
}

const isSound = (line: string): boolean =>
  line === '' || line.startsWith('#') || /[:=]|^\$[({]/.test(line) || directive.test(line)
