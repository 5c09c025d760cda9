import type { Message } from '../../core/ports/model.ts'

/**
 * Tokens of a text, about: characters / 4. Measured on source code against o200k_base it is 8 %
 * high, and costs nothing to load.
 */
export const estimateTokens = (text: string): number => Math.ceil(text.length / 4)

/** Tokens of a prompt, with the few that frame each message. */
export const estimatePromptTokens = (messages: readonly Pick<Message, 'content'>[]): number =>
  messages.reduce((sum, message) => sum + estimateTokens(message.content) + 4, 0)
