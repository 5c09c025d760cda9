const done = new RegExp(
  [
    '\\balready (?:been )?(?:\\w{1,20}ly )?(?:done|implemented|completed?|in place|present|exists?|satisfied|fixed|works?|working|supported|added)\\b',
    '\\bno (?:code |further )?changes? (?:is |are )?(?:needed|required|necessary)\\b',
  ].join('|'),
  'i',
)
const doubt = /\b(?:not|\w{1,10}n't|never|if|unless|whether)\b[^\n]{0,60}\balready\b|\?$/i

/** True when an answer without any file says that the task needs none. A question does not. */
export function claimsDone(answer: string): boolean {
  if (/\bNOTHING_TO_DO\b/.test(answer)) return true
  const sentences = answer.split(/(?<=[.!?])\s|\n/)
  return sentences.some((sentence) => done.test(sentence) && !doubt.test(sentence.trim()))
}
