/** Returns a text in single quotes of a shell. */
export const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
