/** For source code this is 8 % above o200k_base, and no tokenizer has to be loaded. */
export const charactersPerToken = 4

export const estimateTokens = (text: string): number => Math.ceil(text.length / charactersPerToken)

/** Estimates a prompt's tokens, including the few that frame each message, and the tools that it offers natively. */
export const estimatePromptTokens = (
  messages: readonly { readonly content: string }[],
  tools: readonly unknown[] = [],
): number =>
  messages.reduce((sum, message) => sum + estimateTokens(message.content) + 4, 0) +
  (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)))
