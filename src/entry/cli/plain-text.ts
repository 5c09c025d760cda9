import { stripHidden } from '../../text/hidden/strip-hidden.ts'

/** Text that anybody may have written, as one line: nothing in it moves the terminal's cursor. */
export const printable = (text: string): string =>
  stripHidden(text, 'plain').text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
