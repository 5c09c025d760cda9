import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'

/** Only what is hardly ever meant; browsers read everything. */
const MISTAKES: Readonly<Record<string, string>> = {
  'duplicate-attribute': 'This attribute is given twice.',
  'eof-before-tag-name': 'The file ends in the middle of a tag.',
  'eof-in-tag': 'The file ends in the middle of a tag.',
  'eof-in-comment': 'This comment is never closed.',
  'eof-in-cdata': 'The file ends in the middle of a CDATA section.',
  'eof-in-element-that-can-contain-only-text': 'This element is never closed.',
  'eof-in-script-html-comment-like-text': 'The file ends in the middle of a script.',
  'end-tag-without-matching-open-element': 'This end tag closes nothing.',
  'closing-of-element-with-open-child-elements':
    'This end tag closes an element while another one inside it is still open.',
  'missing-attribute-value': 'This attribute has no value after its `=`.',
  'missing-end-tag-name': 'This end tag has no name.',
  'unexpected-character-in-attribute-name': 'A quote or `<` stands in an attribute’s name.',
  'missing-whitespace-between-attributes': 'A space is missing between two attributes.',
  'invalid-first-character-of-tag-name': 'A tag’s name begins with a letter; write `&lt;` for `<`.',
}

/** What looks like a mistake in a page. None of it keeps a browser from showing the page. */
export async function parseHtml(text: string): Promise<readonly SyntaxProblem[]> {
  const { parse } = await import('parse5')
  const problems: SyntaxProblem[] = []
  parse(text, {
    sourceCodeLocationInfo: true,
    onParseError({ code, startLine, startCol }) {
      const message = MISTAKES[code]
      if (message !== undefined) problems.push({ message, line: startLine, column: startCol })
    },
  })
  return problems
}
