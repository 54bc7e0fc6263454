/** Returns the output of a tool as text: a text as it is, anything else as JSON. */
export const resultText = (output: unknown): string =>
  typeof output === 'string' ? output : JSON.stringify(output ?? null)
