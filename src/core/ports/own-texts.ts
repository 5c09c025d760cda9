/** A comment or an issue on GitHub. */
export interface PostedText {
  readonly kind: 'comment' | 'review_comment' | 'issue'
  /** GitHub's id; an issue's number. */
  readonly id: number
  readonly body: string
  /** ISO time. */
  readonly createdAt: string
  /** ISO time of the last edit; of an issue over REST, its creation. */
  readonly updatedAt: string
}

/** A text as GitHub stores it: it changes the style of line breaks and the space at the end. */
export const asStored = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd()

/**
 * Tells the texts of this program from others under the same account: every workflow of a repository posts as
 * `github-actions[bot]`, and can repeat a stranger's text with one of our markers.
 */
export interface OwnTexts {
  /**
   * Call before a text is posted: when this returns, other machines can recognise it, even if its id stays unknown.
   * @param of our text that gets these words, where what it says of an approval has to be ours
   */
  intend(body: string, of?: Pick<PostedText, 'kind' | 'id'>): Promise<void>
  /** Call when GitHub has answered with the id: from now on the text may be edited. */
  posted(text: Pick<PostedText, 'kind' | 'id' | 'body'>): void
  /** Selects the texts of this program among those of its account. */
  ours<T extends PostedText>(texts: readonly T[]): Promise<readonly T[]>
}

/** For callers that keep no state: everything under the account is theirs. */
export const allOfAccount: OwnTexts = {
  intend: async () => {},
  posted: () => {},
  ours: async (texts) => texts,
}
