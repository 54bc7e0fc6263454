/** Tokens that a text is about worth to a model, at four characters each. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / 4)
